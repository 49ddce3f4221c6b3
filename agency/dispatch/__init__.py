"""A batch of tasks, handed out to workers: one file each for the tasks, their order, their results and the way back."""
