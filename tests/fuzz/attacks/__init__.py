"""Attacks on the program: damaged recordings, mutated scenes, odd messages and command lines, kills, full disks.

    running.py    a command within limits of time and memory, and how its end is judged
    bench.py      one case: its folder, its commands, what was complained of
    outputs.py    numbers that are not finite, in what a command wrote
    odd.py        odd values, texts and JSON, by a seed
    known.py      what is known and not mended yet
    one file per kind of attack, each with a class that derives from bench.Attack
"""
