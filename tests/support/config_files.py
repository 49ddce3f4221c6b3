"""A config.toml as a person might have written it."""

FULL = """\
# mine
front = "terminal" # the best
other = 1979-05-27T07:32:00Z

[notify]
  enabled = true   # yes
mute = [
  "/a", # one
  "/b",
]
strange = '''
sound = true
[front]
'''

[[servers]]
sound = "x"
[notify.more]
sound = 3
"""
