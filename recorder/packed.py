"""Never imported: in the place of its bytecode lies the bundle of the hook, see `recorder.bundle`.

pip removes the bytecode of each file that it has installed, and nothing else that it finds there.
"""
