"""yourturn's hooks in the files of a client: made, found, added and removed."""
