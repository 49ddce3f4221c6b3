"""The version of yourturn."""

VERSION = "0.1.0"
