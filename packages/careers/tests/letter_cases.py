"""Résumés of our own invention, false facts planted in sentences, and sentences that are true."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

TODAY = date(2026, 11, 21)


class Candidate(NamedTuple):
    resume: dict[str, Any]
    profile: str
    job: dict[str, Any]


DEVELOPER = Candidate(
    resume={
        "basics": {
            "name": "Mara Lindqvist",
            "label": "Backend Developer",
            "email": "mara@lindqvist.example",
            "phone": "+46 70 123 45 67",
            "url": "https://mara.example/cv",
            "summary": "Backend developer with a love for boring, reliable systems.",
            "location": {"city": "Malmö", "region": "Skåne", "countryCode": "SE"},
        },
        "work": [
            {
                "name": "Fjord Payments AB",
                "position": "Senior Backend Developer",
                "startDate": "2020-03",
                "summary": "Owns the settlement service of a card processor.",
                "highlights": [
                    "Led a team of 6 engineers through the move from a monolith to services",
                    "Cut the nightly settlement run from 4 hours to 35 minutes",
                    "Reduced AWS spending by 30%",
                    "Mentored two apprentices",
                ],
            },
            {
                "name": "Kastrup Analytics",
                "position": "Software Developer",
                "startDate": "2016-08",
                "endDate": "2020-02",
                "highlights": [
                    "Built a Kafka pipeline that handled 1.2 million events per day",
                    "Introduced automated tests in Python and PostgreSQL",
                ],
            },
        ],
        "education": [
            {
                "institution": "Lund University",
                "area": "Computer Science",
                "studyType": "Bachelor of Science",
                "startDate": "2013-09",
                "endDate": "2016-06",
            }
        ],
        "skills": [
            {"name": "Languages", "keywords": ["Python", "Go", "SQL", "Javascript"]},
            {"name": "Infrastructure", "keywords": ["AWS", "Docker", "Kafka", "PostgreSQL"]},
        ],
        "languages": [
            {"language": "Swedish", "fluency": "Native"},
            {"language": "English", "fluency": "Fluent"},
        ],
    },
    profile="# Mara\n- wants to work remotely\n- open to moving to Copenhagen\n",
    job={
        "company": "Northwind Traders",
        "title": "Platform Engineer",
        "location": "Copenhagen, DK",
        "requirements": "5+ years of backend experience\nKubernetes\nTerraform\nGo or Rust",
        "notes": "Northwind runs the warehouse software of 400 retailers.",
        "contact_name": "Jonas Berg",
    },
)

NURSE = Candidate(
    resume={
        "basics": {
            "name": "Grace O'Connell",
            "label": "Registered Nurse",
            "email": "grace.oconnell@mail.example",
            "summary": "Calm under pressure, thorough with records.",
        },
        "work": [
            {
                "name": "St. Brigid's Hospital",
                "position": "Charge Nurse",
                "startDate": "2018-01-15",
                "endDate": "2023-09-30",
                "highlights": [
                    "Supervised 14 nurses on a 32-bed cardiac ward",
                    "Cut medication errors by 22 percent with a double-check routine",
                    "Trained new staff in wound care and telemetry",
                ],
            },
            {
                "name": "Riverside Hospice",
                "position": "Staff Nurse",
                "startDate": "2014-05",
                "endDate": "2017-12",
                "summary": "Palliative care for adults and support for their families.",
            },
        ],
        "education": [
            {
                "institution": "University College Cork",
                "area": "Nursing",
                "studyType": "BSc",
                "startDate": "2010",
                "endDate": "2014",
            }
        ],
        "certificates": [
            {"name": "Advanced Cardiac Life Support", "date": "2019-04", "issuer": "Irish Heart"}
        ],
        "skills": [{"name": "Clinical", "keywords": ["Telemetry", "Wound care", "Triage"]}],
        "languages": [
            {"language": "English", "fluency": "Native speaker"},
            {"language": "Irish", "fluency": "Conversational"},
        ],
        "volunteer": [
            {
                "organization": "Red Cross",
                "position": "First Aid Instructor",
                "startDate": "2015-01",
                "endDate": "2017-01",
            }
        ],
    },
    profile="Prefers day shifts. Lives in Cork. Looks for a ward with a teaching role.",
    job={
        "company": "Mercy Clinic",
        "title": "Ward Manager",
        "location": "Dublin",
        "requirements": "Registered nurse\nMaster's degree in health management\nSAP experience",
        "notes": "A cardiology clinic with 120 beds. Reports to Dr. Helen Walsh.",
    },
)

MARKETER = Candidate(
    resume={
        "basics": {
            "name": "Daniel Osei",
            "label": "Marketing Manager",
            "email": "d.osei@post.example",
            "phone": "020 7946 0018",
            "location": {"city": "Leeds"},
        },
        "work": [
            {
                "name": "Brightside Foods Ltd",
                "position": "Marketing Manager",
                "startDate": "2019-06-01",
                "endDate": "2025-05-31",
                "highlights": [
                    "Grew newsletter subscribers from 8,000 to 52,000",
                    "Ran a campaign budget of £1.5 million",
                    "Won the Golden Spoon award in 2022",
                ],
            },
            {
                "name": "Harbour & Lane",
                "position": "Copywriter",
                "startDate": "2015-09",
                "endDate": "2019-05",
                "highlights": ["Wrote product texts for 40 brands"],
            },
        ],
        "education": [
            {
                "institution": "University of Leeds",
                "area": "English Literature",
                "studyType": "Bachelor of Arts",
                "endDate": "2015",
            }
        ],
        "skills": [
            {"name": "Marketing", "keywords": ["SEO", "Google Analytics", "Email campaigns"]},
            {"name": "Tools", "keywords": ["HubSpot", "Figma"]},
        ],
        "publications": [{"name": "Plain Words Sell", "publisher": "Copy Monthly"}],
    },
    profile="",
    job={
        "company": "Wild Oats",
        "title": "Head of Content",
        "requirements": "Salesforce\nTeam leadership\nGerman",
        "notes": "Organic cereals, founded in 1998. Contact: Petra Vogel.",
    },
)

PHYSICIST = Candidate(
    resume={
        "basics": {"name": "Dr. Ana Ruiz", "label": "Data Scientist", "email": "ana@ruiz.example"},
        "work": [
            {
                "name": "CERN",
                "position": "Research Fellow",
                "startDate": "2017",
                "endDate": "2020",
                "highlights": ["Analysed collision data with ROOT and Python"],
            },
            {
                "name": "Iberia Grid",
                "position": "Data Scientist",
                "startDate": "2021-01",
                "highlights": [
                    "Forecast electricity demand with gradient boosting, 12% more accurate",
                    "Presented results to the regulator",
                ],
            },
        ],
        "education": [
            {
                "institution": "Universidad Autónoma de Madrid",
                "area": "Particle Physics",
                "studyType": "PhD",
                "startDate": "2012",
                "endDate": "2016",
            },
            {
                "institution": "Universidad Autónoma de Madrid",
                "area": "Physics",
                "studyType": "Master",
                "endDate": "2012",
            },
        ],
        "skills": [{"name": "Machine Learning", "keywords": ["scikit-learn", "XGBoost", "Python"]}],
        "languages": [
            {"language": "Spanish", "fluency": "Native"},
            {"language": "English", "fluency": "C1"},
            {"language": "French", "fluency": "B1"},
        ],
        "awards": [{"title": "Young Researcher Prize", "date": "2016", "awarder": "RSEF"}],
    },
    profile="Interested in climate work. 15 papers published.",
    job={
        "company": "WindWise",
        "title": "Senior Data Scientist",
        "requirements": "PyTorch\nSpark\n3 years in energy",
        "notes": "We forecast wind power for 60 parks.",
    },
)

# A résumé that nothing has structured: only its lines.
CHEF = Candidate(
    resume={
        "text": [
            "Tomás Pereira",
            "Sous Chef, Porto",
            "Experience",
            "Sous Chef, Cantina do Mar (2019–2024)",
            "- ran the fish station, a kitchen of 9 people",
            "Line Cook, Hotel Infante (2016–2019)",
            "Education",
            "Diploma in Culinary Arts, Escola de Hotelaria do Porto, 2016",
            "Skills: seafood, menu planning, food safety (HACCP), Portuguese, English",
        ]
    },
    profile="I have 8 years of experience in kitchens.",
    job={"company": "Blue Anchor", "title": "Head Chef", "requirements": "Pastry\nFrench cuisine"},
)

# (whose letter, the sentence, the false claim in it)
PLANTED: list[tuple[Candidate, str, str]] = [
    # employers and institutions
    (DEVELOPER, "Before that I spent three years at Klarna as a developer.", "Klarna"),
    (DEVELOPER, "At Spotify, I built pipelines in Python.", "Spotify"),
    (DEVELOPER, "I have worked at Northwind Traders as an intern.", "Northwind Traders"),
    (DEVELOPER, "I studied Computer Science at Uppsala University.", "Uppsala"),
    (DEVELOPER, "Google taught me how large systems fail.", "Google"),
    (NURSE, "I worked for the Mater Hospital before I joined Riverside Hospice.", "Mater"),
    (NURSE, "I graduated from Trinity College Dublin in 2014.", "Trinity"),
    (NURSE, "I volunteered with Doctors Without Borders as a nurse.", "Doctors Without Borders"),
    (MARKETER, "My years at Unilever taught me how brands grow.", "Unilever"),
    (MARKETER, "I hold a Bachelor of Arts from the University of Oxford.", "Oxford"),
    (PHYSICIST, "At DESY I analysed collision data with Python.", "DESY"),
    (PHYSICIST, "I earned my PhD at the Universidad de Sevilla.", "Sevilla"),
    (CHEF, "I cooked at Noma before I came to Cantina do Mar.", "Noma"),
    # job titles
    (
        DEVELOPER,
        "As a Principal Architect at Fjord Payments, I own the settlement service.",
        "Principal Architect",
    ),
    (DEVELOPER, "I served as engineering manager at Fjord Payments.", "engineering manager"),
    (
        DEVELOPER,
        "As a Platform Engineer for six years, I know how systems grow.",
        "Platform Engineer",
    ),
    (NURSE, "I was the director of nursing at St. Brigid's Hospital.", "director"),
    (NURSE, "As a Nurse Practitioner, I supervised 14 nurses.", "Nurse Practitioner"),
    (
        MARKETER,
        "As Chief Marketing Officer of Brightside Foods, I ran the campaigns.",
        "Chief Marketing Officer",
    ),
    (MARKETER, "I worked as a senior copywriter at Harbour & Lane.", "senior copywriter"),
    (PHYSICIST, "I was an assistant professor for two years.", "assistant professor"),
    (PHYSICIST, "As a Data Scientist at CERN, I analysed collision data.", "Data Scientist"),
    (CHEF, "I was head chef at Cantina do Mar.", "head chef"),
    # skills and technologies
    (DEVELOPER, "I have run Kubernetes clusters in production for years.", "Kubernetes"),
    (DEVELOPER, "My skills include Python, Rust and SQL.", "Rust"),
    (DEVELOPER, "I am proficient in terraform and docker.", "terraform"),
    (DEVELOPER, "I wrote much of our code in C++.", "C++"),
    (DEVELOPER, "I bring hands-on experience with machine learning.", "machine learning"),
    (DEVELOPER, "I have deep expertise in React Native.", "React Native"),
    (NURSE, "I am experienced in SAP and telemetry.", "SAP"),
    (NURSE, "I also speak Polish with patients.", "Polish"),
    (MARKETER, "I know Salesforce and HubSpot well.", "Salesforce"),
    (MARKETER, "I am fluent in German.", "German"),
    (MARKETER, "My background in accounting helps me with budgets.", "accounting"),
    (PHYSICIST, "I train models in PyTorch and XGBoost.", "PyTorch"),
    (PHYSICIST, "I have used Apache Spark to analyse data.", "Spark"),
    (CHEF, "I am trained in pastry and seafood.", "pastry"),
    (CHEF, "I have experience with French cuisine.", "French"),
    # numbers
    (DEVELOPER, "I led a team of 16 engineers at Fjord Payments.", "16"),
    (DEVELOPER, "I reduced AWS spending by 45%.", "45%"),
    (DEVELOPER, "Our pipeline handled 12 million events per day.", "12 million"),
    (DEVELOPER, "I cut the settlement run to 5 minutes.", "5 minutes"),
    (NURSE, "I supervised forty nurses on a cardiac ward.", "forty"),
    (NURSE, "Medication errors fell by 60 percent under my routine.", "60 percent"),
    (NURSE, "I ran a 120-bed cardiac ward.", "120"),
    (MARKETER, "I grew newsletter subscribers to 520,000.", "520,000"),
    (MARKETER, "I ran a campaign budget of £15 million.", "15 million"),
    (MARKETER, "I wrote product texts for 400 brands.", "400"),
    (PHYSICIST, "My forecasts were 35% more accurate.", "35%"),
    (PHYSICIST, "I have published 50 papers.", "50"),
    (CHEF, "I ran a kitchen of 25 people.", "25"),
    # dates and durations
    (DEVELOPER, "I have been with Fjord Payments since 2017.", "2017"),
    (DEVELOPER, "I joined Kastrup Analytics in March 2020.", "March 2020"),
    (DEVELOPER, "I have fifteen years of experience as a backend developer.", "fifteen years"),
    (DEVELOPER, "I spent eight years at Kastrup Analytics.", "eight years"),
    (NURSE, "I worked at St. Brigid's Hospital from 2012 to 2023.", "2012"),
    (NURSE, "In my twenty years as a nurse I have stayed calm.", "twenty years"),
    (NURSE, "I spent ten years at Riverside Hospice.", "ten years"),
    (MARKETER, "I left university in 2011.", "2011"),
    (MARKETER, "I won the Golden Spoon award in 2024.", "2024"),
    (MARKETER, "I managed marketing at Brightside Foods for over a decade of growth.", "decade"),
    (PHYSICIST, "I was a Research Fellow at CERN for seven years.", "seven years"),
    (PHYSICIST, "I received my PhD in 2010.", "2010"),
    (CHEF, "I worked at Hotel Infante from 2010 to 2019.", "2010"),
    # degrees, certificates, awards
    (DEVELOPER, "I hold a Master's degree in Computer Science from Lund University.", "Master's"),
    (DEVELOPER, "I am an AWS certified developer.", "certified"),
    (DEVELOPER, "I graduated with honours from Lund University.", "honours"),
    (NURSE, "My master's degree in health management prepared me for this.", "master's"),
    (NURSE, "I hold a BSc in Microbiology from University College Cork.", "Microbiology"),
    (MARKETER, "I completed an MBA in 2018.", "MBA"),
    (MARKETER, "I have a degree in Economics from the University of Leeds.", "Economics"),
    (PHYSICIST, "I have a PhD in Astrophysics.", "Astrophysics"),
    (PHYSICIST, "I won the Nobel Prize for my work.", "Nobel"),
    (CHEF, "I have a bachelor's degree in hospitality.", "bachelor"),
    # names of people, contacts, placeholders
    (DEVELOPER, "Dear Ms. Andersson,", "Andersson"),
    (DEVELOPER, "My mentor Erik Holm will gladly speak for me.", "Erik Holm"),
    (DEVELOPER, "You can reach me at mara.lindqvist@gmail.com.", "mara.lindqvist@gmail.com"),
    (MARKETER, "Call me on 020 7946 9999.", "020 7946 9999"),
    (MARKETER, "My portfolio is at www.danielosei.com.", "danielosei.com"),
    (NURSE, "I look forward to joining [Company Name].", "[Company Name]"),
    (MARKETER, "I was promoted twice within a short time.", "promoted"),
    (CHEF, "I opened two restaurants in Lisbon.", "Lisbon"),
]

CLEAN: list[tuple[Candidate, str]] = [
    (DEVELOPER, "Dear Mr. Berg,"),
    (DEVELOPER, "Dear Hiring Manager,"),
    (DEVELOPER, "I am excited to apply for the Platform Engineer position at Northwind Traders."),
    (DEVELOPER, "As a Senior Backend Developer at Fjord Payments, I own the settlement service."),
    (DEVELOPER, "I led a team of six engineers through the move from a monolith to services."),
    (DEVELOPER, "There I reduced our AWS spending by 30 percent."),
    (DEVELOPER, "Since March 2020 I have worked for Fjord Payments AB."),
    (DEVELOPER, "With more than ten years of experience, I know what keeps systems reliable."),
    (
        DEVELOPER,
        "Before that, I spent over three years at Kastrup Analytics as a software developer.",
    ),
    (DEVELOPER, "There I built a Kafka pipeline for 1.2 million events a day."),
    (DEVELOPER, "I hold a Bachelor of Science in Computer Science from Lund University (2016)."),
    (DEVELOPER, "I work with Python, Go, JavaScript and PostgreSQL every day."),
    (DEVELOPER, "Your need for Kubernetes and Terraform is a good reason for me to learn both."),
    (DEVELOPER, "I am eager to deepen my knowledge by working with Kubernetes in your team."),
    (DEVELOPER, "The way Northwind serves 400 retailers from Copenhagen appeals to me."),
    (DEVELOPER, "I would be glad to move to Copenhagen, and I also enjoy working remotely."),
    (DEVELOPER, "I speak Swedish and English."),
    (DEVELOPER, "Thank you for your time and consideration; I look forward to hearing from you."),
    (DEVELOPER, "Mentoring two apprentices taught me patience."),
    (DEVELOPER, "You ask for 5+ years of backend experience, which I can offer."),
    (NURSE, "I am writing to express my strong interest in the Ward Manager role at Mercy Clinic."),
    (NURSE, "For more than five years I was a Charge Nurse at St. Brigid's Hospital."),
    (NURSE, "There I supervised 14 nurses on a 32-bed cardiac ward."),
    (NURSE, "With a double-check routine we cut medication errors by 22%."),
    (NURSE, "Earlier I cared for adults in palliative care at Riverside Hospice."),
    (NURSE, "I completed my BSc in Nursing at University College Cork in 2014."),
    (NURSE, "In April 2019 I was certified in Advanced Cardiac Life Support."),
    (NURSE, "I trained new staff in wound care and telemetry."),
    (NURSE, "From 2015 to 2017 I taught first aid as an instructor with the Red Cross."),
    (NURSE, "A cardiology clinic with 120 beds is exactly where I would like to work."),
    (NURSE, "I would welcome the chance to meet Dr. Walsh and your team."),
    (NURSE, "Calm under pressure and thorough with records, I earn the trust of families."),
    (NURSE, "Two qualities matter most on a ward: patience and clear communication."),
    (MARKETER, "Your search for a Head of Content caught my eye at once."),
    (MARKETER, "At Brightside Foods, I grew newsletter subscribers from 8,000 to 52,000."),
    (MARKETER, "I managed a campaign budget of £1.5M and won the Golden Spoon award in 2022."),
    (MARKETER, "My six years as Marketing Manager at Brightside Foods taught me to lead."),
    (MARKETER, "As a copywriter at Harbour & Lane, I wrote product texts for 40 brands."),
    (MARKETER, "I studied English Literature at the University of Leeds and graduated in 2015."),
    (MARKETER, "My article Plain Words Sell appeared in Copy Monthly."),
    (MARKETER, "I use Google Analytics, SEO and Figma daily, and I write with care."),
    (MARKETER, "Although I have not used Salesforce yet, I learn new tools quickly."),
    (MARKETER, "You can reach me at d.osei@post.example or 020 7946 0018."),
    (PHYSICIST, "I hold a PhD in Particle Physics from the Universidad Autonoma de Madrid."),
    (PHYSICIST, "As a Research Fellow at CERN, I analysed collision data with ROOT and Python."),
    (PHYSICIST, "Since January 2021 I have forecast electricity demand at Iberia Grid."),
    (PHYSICIST, "My models were 12% more accurate, and I presented the results to the regulator."),
    (PHYSICIST, "I have used machine learning, above all scikit-learn and XGBoost, for years."),
    (PHYSICIST, "Climate work matters to me, and forecasting wind power at WindWise excites me."),
    (PHYSICIST, "I have published 15 papers and received the Young Researcher Prize in 2016."),
    (PHYSICIST, "I speak Spanish, English and French."),
    (CHEF, "As a sous chef at Cantina do Mar, I ran the fish station."),
    (CHEF, "I have eight years of experience in kitchens."),
    (CHEF, "I earned a Diploma in Culinary Arts in Porto in 2016."),
    (CHEF, "The position of Head Chef at Blue Anchor would be the right next step for me."),
    (CHEF, "Seafood, menu planning and food safety are my daily work."),
]
