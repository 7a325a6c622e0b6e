# SPDX-License-Identifier: MIT
"""A module for each peer: cells(threads, sizes) gives what it is raced at."""
