"""Files and pages from outside, taken apart in a process that can be killed.

files.py ─► process.py ═══ stdin, stdout ═══► child.py ─► any.py ─► pdf.py | word.py | text.py
                                                       └► page.py
"""
