"""Never imported: in the place of its bytecode is the hook's bundle for Gemini CLI, see `recorder.bundle`.

pip removes the bytecode of each file that it has installed, and nothing else that it finds there.
"""
