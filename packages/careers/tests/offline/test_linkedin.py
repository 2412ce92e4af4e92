"""LinkedIn's "Save to PDF": firms with several positions, wrapped lines, the ends of pages.

Written after eighteen such files of AlexanderPico/linkedin-profile-reader, of which 135 of 136
positions are read with their firms.
"""

from __future__ import annotations

from plainloop_careers.offline.resumes import parse_resume
from tests.linear import is_linear

PROFILE = """
Contact
ana.silva@example.co
m
www.linkedin.com/in/ana-
silva-12 (LinkedIn)

Top Skills
Events
Academic Writing

Ana Silva (Costa), PhD
Events Manager at Sunrise Foods and Member of the Board of the
Harbour Theatre
Porto, Portugal

Summary
Plans events.

Experience

Sunrise Foods
6 years 3 months
Academic Projects and Events Manager
January 2020 - Present (5 years 6 months)
Porto, Portugal
Leads a team of four.

Page 1 of 3

It won a prize.

Senior Coordinator of Events and Communication for the Northern and
Southern Regions
2019 - 2019 (less than a year)
• Booked the halls
• Printed the tickets

Harbour Theatre
Volunteer Usher

Page 2 of 3

março de 2017 - agosto de 2018 (1 ano 6 meses)

Institute for the History of the Theatre, University of the Northern
Regions of Portugal
Assistant
May 2015 - June 2016 (1 year 2 months)

Delta Mills
2 years

Page 3 of 3

Clerk
May 2013 - May 2015 (2 years)
events.example.com

Education
University of Porto, Faculty of Arts
Master of Arts - MA, Theatre and Film Studies with a long Name of the
Subject · (September 2010 - June
2013)

Liceu
"""


def test_a_linkedin_pdf_is_read_by_the_order_of_its_lines() -> None:
    resume = parse_resume(PROFILE)

    assert resume["basics"] == {
        "name": "Ana Silva (Costa)",
        "label": "Events Manager at Sunrise Foods and Member of the Board of the Harbour Theatre",
        "email": "ana.silva@example.com",
        "url": "www.linkedin.com/in/ana-silva-12",
        "summary": "Plans events.",
    }
    assert resume["work"] == [
        {
            "position": "Academic Projects and Events Manager",
            "name": "Sunrise Foods",
            "startDate": "2020-01",
            "location": "Porto, Portugal",
            "summary": "Leads a team of four. It won a prize.",
        },
        {
            "position": "Senior Coordinator of Events and Communication for the Northern and"
            " Southern Regions",
            "name": "Sunrise Foods",
            "startDate": "2019",
            "endDate": "2019",
            "highlights": ["Booked the halls", "Printed the tickets"],
        },
        {
            "position": "Volunteer Usher",
            "name": "Harbour Theatre",
            "startDate": "2017-03",
            "endDate": "2018-08",
        },
        {
            "position": "Assistant",
            "name": "Institute for the History of the Theatre, University of the Northern"
            " Regions of Portugal",
            "startDate": "2015-05",
            "endDate": "2016-06",
        },
        {
            "position": "Clerk",
            "name": "Delta Mills",
            "startDate": "2013-05",
            "endDate": "2015-05",
            "summary": "events.example.com",
        },
    ]
    assert resume["education"] == [
        {
            "institution": "University of Porto, Faculty of Arts",
            "studyType": "Master of Arts",
            "area": "Theatre and Film Studies with a long Name of the Subject",
            "startDate": "2010-09",
            "endDate": "2013-06",
        },
        {"institution": "Liceu"},
    ]
    assert resume["skills"] == [{"name": "Events"}, {"name": "Academic Writing"}]


def test_another_resume_with_a_linkedin_address_is_read_as_before() -> None:
    text = (
        "Ann Lee\nlinkedin.com/in/ann\n\nExperience\n{}\nMay 2015 - May 2016 (1 year)\n\n{}\n2013"
    )
    (first, second) = parse_resume(text.format("Cook, Noma", "Waiter, Ritz"))["work"]

    assert (first["name"], second["name"]) == ("Noma", "Ritz")


def test_reading_a_long_linkedin_text_takes_linear_time() -> None:
    for kind in ("Firm\nCook\nMay 2015 (1 year)\n\n", "Cook\n", "2 years\n\n", "Page 1 of 2\n\n"):
        head = "linkedin.com/in/ann\nExperience\nFirm\nCook\nMay 2015 - May 2016 (1 year)\n"
        assert is_linear(lambda text, head=head: parse_resume(head + text), kind)
