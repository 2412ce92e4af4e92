"""More candidates, written after the rules: teacher, accountant, graduate, salesman, engineer."""

from __future__ import annotations

from packages.careers.tests.letter_cases import TODAY, Candidate

__all__ = ["CLEAN", "PLANTED", "TODAY"]

TEACHER = Candidate(
    resume={
        "basics": {
            "name": "Priya Nair",
            "label": "Mathematics Teacher",
            "email": "priya.nair@school.example",
            "summary": "I make numbers friendly. Eleven years in secondary schools.",
            "location": {"city": "Bristol"},
        },
        "work": [
            {
                "name": "Ashton Park School",
                "position": "Head of Mathematics",
                "startDate": "2019-09",
                "highlights": [
                    "Lifted GCSE pass rates from 61% to 78%",
                    "Lead a department of nine teachers",
                    "Set up a robotics club with 45 pupils",
                ],
            },
            {
                "name": "Clifton Academy",
                "position": "Mathematics Teacher",
                "startDate": "2015-09",
                "endDate": "2019-07",
                "highlights": ["Wrote the school's new algebra curriculum"],
            },
        ],
        "education": [
            {
                "institution": "University of Bristol",
                "area": "Mathematics",
                "studyType": "Bachelor",
                "endDate": "2014",
            },
            {"institution": "UCL", "area": "Education", "studyType": "PGCE", "endDate": "2015"},
        ],
        "skills": [{"name": "Teaching", "keywords": ["GeoGebra", "Algebra", "Lesson planning"]}],
    },
    profile="Formal tone, please. I would like to work part time.",
    job={
        "company": "Kingswood Trust",
        "title": "Deputy Head Teacher",
        "requirements": "Leadership experience\nNPQ qualification\nSafeguarding",
        "notes": "A trust of 12 schools with 9,500 pupils in Gloucestershire.",
        "contact_name": "Margaret Hale",
    },
)

ACCOUNTANT = Candidate(
    resume={
        "basics": {"name": "Lukas Brandt", "label": "Senior Accountant", "phone": "+49 30 901820"},
        "work": [
            {
                "name": "Hansen Logistics GmbH",
                "position": "Senior Accountant",
                "location": "Hamburg",
                "startDate": "2018-02",
                "endDate": "Present",
                "highlights": [
                    "Closed the books of 7 subsidiaries each month",
                    "Shortened the month-end close from ten days to four",
                    "Prepared annual statements under IFRS and HGB",
                ],
            },
            {
                "name": "Deloitte",
                "position": "Audit Associate",
                "startDate": "2014-10",
                "endDate": "2018-01",
                "highlights": ["Audited manufacturing clients with sales of up to €250 million"],
            },
        ],
        "education": [
            {
                "institution": "Universität Mannheim",
                "area": "Business Administration",
                "studyType": "M.Sc.",
                "endDate": "2014-09",
            }
        ],
        "certificates": [{"name": "Bilanzbuchhalter", "date": "2019"}],
        "skills": [{"name": "Software", "keywords": ["SAP FI", "DATEV", "Microsoft Excel"]}],
        "languages": [{"language": "German"}, {"language": "English"}],
    },
    profile="Notice period: three months. Salary wish 78,000 euros.",
    job={
        "company": "Solaris Energy AG",
        "title": "Head of Accounting",
        "location": "Berlin",
        "requirements": "CPA or equivalent\nOracle\nTeam of 8",
    },
)

GRADUATE = Candidate(
    resume={
        "basics": {"name": "Jamal Carter", "email": "jamal@carter.example"},
        "education": [
            {
                "institution": "Georgia State University",
                "area": "Graphic Design",
                "studyType": "BFA",
                "startDate": "2022-08",
                "endDate": "2026-05",
                "score": "3.8",
            }
        ],
        "work": [
            {
                "name": "Peachtree Prints",
                "position": "Design Intern",
                "startDate": "2025-06",
                "endDate": "2025-08",
                "highlights": ["Designed 20 posters in Adobe Illustrator"],
            }
        ],
        "projects": [
            {
                "name": "Atlanta Transit Map",
                "description": "A redesign of the MARTA map for colour-blind riders",
                "keywords": ["Illustrator", "Accessibility"],
            }
        ],
        "skills": [{"name": "Tools", "keywords": ["Illustrator", "InDesign", "Figma"]}],
    },
    profile="",
    job={
        "company": "Bluebird Studio",
        "title": "Junior Designer",
        "requirements": "Figma\nMotion design in After Effects\n2 years of agency work",
    },
)

SALESMAN = Candidate(
    resume={
        "basics": {"name": "Victor Almeida", "label": "Account Executive"},
        "work": [
            {
                "name": "CloudCart",
                "position": "Account Executive",
                "startDate": "2021-04",
                "highlights": [
                    "Closed $2.4M in new business in 2023",
                    "Reached 118% of quota two years in a row",
                    "Manages 35 accounts in retail",
                ],
            },
            {
                "name": "Metro Fitness",
                "position": "Membership Advisor",
                "startDate": "2018-01",
                "endDate": "2021-03",
            },
        ],
        "skills": [{"name": "Sales", "keywords": ["Salesforce", "Negotiation", "Cold calling"]}],
        "languages": [
            {"language": "Portuguese", "fluency": "Native"},
            {"language": "English", "fluency": "Full professional"},
        ],
    },
    profile="Lives in Boston. Runs marathons.",
    job={
        "company": "Payloop, Inc.",
        "title": "Enterprise Account Executive",
        "requirements": "HubSpot\nSpanish\nFintech experience",
        "notes": "Series B, backed by Sequoia.",
    },
)

ENGINEER = Candidate(
    resume={
        "basics": {"name": "Hannah Weiss", "label": "Structural Engineer"},
        "work": [
            {
                "name": "Arup",
                "position": "Structural Engineer",
                "startDate": "2017-10",
                "endDate": "2022-10",
                "highlights": [
                    "Designed the timber roof of the Oslo Aquatics Centre",
                    "Checked 60 bridges in Norway for load",
                ],
            },
            {
                "name": "Weiss & Partner",
                "position": "Owner",
                "startDate": "2022-11",
                "highlights": ["Founded a studio for timber buildings, now 4 staff"],
            },
        ],
        "education": [
            {
                "institution": "ETH Zurich",
                "area": "Civil Engineering",
                "studyType": "MSc",
                "endDate": "2017",
            }
        ],
        "skills": [{"name": "Software", "keywords": ["Revit", "AutoCAD", "Rhino", "C#"]}],
    },
    profile="I hold a Chartered Engineer licence since 2021.",
    job={
        "company": "Snøhetta",
        "title": "Lead Structural Engineer",
        "location": "Oslo, NO",
        "requirements": "Timber construction\nTekla\nNorwegian",
    },
)

PLANTED: list[tuple[Candidate, str, str]] = [
    (TEACHER, "I raised GCSE pass rates from 61% to 88%.", "88%"),
    (TEACHER, "At Ashton Park School I lead a department of nineteen teachers.", "nineteen"),
    (TEACHER, "For eight years I taught at Clifton Academy.", "eight years"),
    (TEACHER, "I hold the NPQ qualification that you ask for.", "NPQ"),
    (TEACHER, "I have been deputy head teacher at Clifton Academy.", "deputy head teacher"),
    (TEACHER, "I studied at the University of Cambridge.", "Cambridge"),
    (TEACHER, "I wrote a textbook for Pearson.", "Pearson"),
    (TEACHER, "My doctorate in education shaped my view of teaching.", "doctorate"),
    (TEACHER, "I founded a chess club with 45 pupils.", "chess"),
    (TEACHER, "As an examiner for AQA I know the syllabus well.", "AQA"),
    (TEACHER, "Dear Mr. Thornton,", "Thornton"),
    (TEACHER, "I also teach physics and chemistry.", "physics"),
    (ACCOUNTANT, "I closed the books of 17 subsidiaries each month.", "17"),
    (ACCOUNTANT, "I am a certified public accountant.", "certified"),
    (ACCOUNTANT, "I have worked with Oracle and DATEV for years.", "Oracle"),
    (ACCOUNTANT, "Before that I audited clients at KPMG.", "KPMG"),
    (ACCOUNTANT, "I audited clients with sales of up to €900 million.", "900 million"),
    (ACCOUNTANT, "I shortened the month-end close to two days.", "two days"),
    (ACCOUNTANT, "I have prepared statements under US GAAP.", "GAAP"),
    (ACCOUNTANT, "As head of accounting at Hansen Logistics, I led eight people.", "head"),
    (ACCOUNTANT, "I joined Deloitte in 2012.", "2012"),
    (ACCOUNTANT, "I completed my MBA at Universität Mannheim.", "MBA"),
    (ACCOUNTANT, "I am fluent in French.", "French"),
    (GRADUATE, "I graduated with a GPA of 4.0.", "4.0"),
    (GRADUATE, "I graduated from Georgia Tech.", "Tech"),
    (GRADUATE, "I have two years of agency experience.", "two years"),
    (GRADUATE, "As an art director at Peachtree Prints, I designed posters.", "art director"),
    (GRADUATE, "I am skilled in Figma and After Effects.", "After Effects"),
    (GRADUATE, "I designed 200 posters in Adobe Illustrator.", "200"),
    (GRADUATE, "My work won an Adobe Design Award.", "Award"),
    (GRADUATE, "I interned at Pentagram last summer.", "Pentagram"),
    (GRADUATE, "I was on the dean's list every year.", "dean"),
    (SALESMAN, "I closed $24M in new business in 2023.", "24M"),
    (SALESMAN, "I reached 150% of quota.", "150%"),
    (SALESMAN, "I speak Spanish and Portuguese.", "Spanish"),
    (SALESMAN, "As a sales director at CloudCart, I managed 35 accounts.", "sales director"),
    (SALESMAN, "I have spent ten years in sales.", "ten years"),
    (SALESMAN, "Before CloudCart I sold software for Oracle.", "Oracle"),
    (SALESMAN, "I hold a degree in Business from Boston University.", "degree"),
    (SALESMAN, "I was promoted to team lead in 2022.", "promoted"),
    (ENGINEER, "I designed the concrete roof of the Bergen Opera.", "Bergen Opera"),
    (ENGINEER, "I checked 160 bridges in Norway.", "160"),
    (ENGINEER, "I speak Norwegian.", "Norwegian"),
    (ENGINEER, "I worked at Snøhetta for two years.", "Snøhetta"),
    (ENGINEER, "My MSc from TU Delft is in civil engineering.", "TU Delft"),
    (ENGINEER, "I use Tekla and Revit every day.", "Tekla"),
    (ENGINEER, "I have led a studio of 14 staff since 2022.", "14"),
    (ENGINEER, "My licence dates from 2016.", "2016"),
    (ENGINEER, "I have a PhD in structural engineering.", "PhD"),
    (ENGINEER, "Zaha Hadid praised my work.", "Zaha Hadid"),
]

CLEAN: list[tuple[Candidate, str]] = [
    (TEACHER, "Dear Ms. Hale,"),
    (TEACHER, "It is with great pleasure that I apply for the post of Deputy Head Teacher."),
    (TEACHER, "As Head of Mathematics at Ashton Park School, I lead nine teachers."),
    (TEACHER, "Under my lead GCSE pass rates rose from 61% to 78%."),
    (TEACHER, "Our robotics club, which I set up, now has 45 pupils."),
    (TEACHER, "From September 2015 to July 2019 I taught mathematics at Clifton Academy."),
    (TEACHER, "There I wrote a new curriculum for algebra."),
    (TEACHER, "I read Mathematics at the University of Bristol and took my PGCE at UCL."),
    (TEACHER, "A trust of 12 schools offers the breadth that I am looking for."),
    (TEACHER, "With eleven years in secondary schools, I bring calm and experience."),
    (TEACHER, "I would be grateful for the opportunity to discuss part-time work with you."),
    (TEACHER, "Numbers can be friendly, and I make sure that they are."),
    (TEACHER, "Please find my CV enclosed."),
    (TEACHER, "Kingswood Trust has a reputation for looking after its people."),
    (ACCOUNTANT, "With great interest I read your posting for a Head of Accounting in Berlin."),
    (ACCOUNTANT, "Since February 2018 I have been a Senior Accountant at Hansen Logistics."),
    (ACCOUNTANT, "Every month I close the books of seven subsidiaries."),
    (ACCOUNTANT, "I shortened our month-end close from ten days to four."),
    (ACCOUNTANT, "I prepare annual statements under IFRS and HGB."),
    (ACCOUNTANT, "Before that, I was an Audit Associate at Deloitte for over three years."),
    (ACCOUNTANT, "I hold a Master of Science in Business Administration from Mannheim."),
    (ACCOUNTANT, "I work daily with SAP, DATEV and Excel."),
    (ACCOUNTANT, "My notice period is three months."),
    (ACCOUNTANT, "The prospect of building a team of 8 at Solaris Energy motivates me."),
    (ACCOUNTANT, "I could imagine no better next step than joining Solaris."),
    (GRADUATE, "I recently graduated from Georgia State University with a BFA in Graphic Design."),
    (GRADUATE, "My GPA was 3.8."),
    (GRADUATE, "As a Design Intern at Peachtree Prints, I designed 20 posters in Illustrator."),
    (GRADUATE, "In the summer of 2025 I spent two months at Peachtree Prints."),
    (GRADUATE, "My Atlanta Transit Map makes the MARTA network readable for colour-blind riders."),
    (GRADUATE, "I am proficient in InDesign, Illustrator and Figma."),
    (GRADUATE, "While I am new to After Effects, motion design is what I want to learn next."),
    (GRADUATE, "Bluebird Studio's playful style is what drew me to this Junior Designer role."),
    (SALESMAN, "I am applying to become your next Enterprise Account Executive."),
    (SALESMAN, "At CloudCart I closed $2.4 million in new business in 2023."),
    (SALESMAN, "For two years in a row I reached 118 percent of my quota."),
    (SALESMAN, "I look after 35 accounts in retail and know Salesforce inside out."),
    (SALESMAN, "Cold calling and negotiation come naturally to me."),
    (SALESMAN, "Native in Portuguese and fluent in English, I enjoy working across cultures."),
    (SALESMAN, "Running marathons has taught me to keep going."),
    (SALESMAN, "Payloop's growth since its Series B impressed me."),
    (SALESMAN, "I started out as a Membership Advisor at Metro Fitness in January 2018."),
    (ENGINEER, "At Arup I designed the timber roof of the Oslo Aquatics Centre."),
    (ENGINEER, "In five years there I checked 60 bridges in Norway."),
    (ENGINEER, "In 2022 I founded Weiss & Partner, a studio for timber buildings with four staff."),
    (ENGINEER, "I earned my MSc in Civil Engineering at ETH Zürich in 2017."),
    (ENGINEER, "I have been a Chartered Engineer since 2021."),
    (ENGINEER, "Timber construction, the focus of your role in Oslo, is what I do best."),
    (ENGINEER, "I write small tools in C# for Revit and Rhino."),
    (ENGINEER, "Your requirement of Norwegian is one that I am ready to work on."),
]
