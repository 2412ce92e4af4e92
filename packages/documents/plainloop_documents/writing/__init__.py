"""Texts as files for people: Markdown in, PDF or Word out, made in a process that can be killed.

document.py ─► process.py ═══ stdin, stdout ═══► child.py ─► pdf.py | word.py
"""
