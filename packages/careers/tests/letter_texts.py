"""Whole letters in the prose that language models write; every fact in them is true."""

from __future__ import annotations

from packages.careers.tests.letter_cases import DEVELOPER, MARKETER, NURSE, PHYSICIST, Candidate
from packages.careers.tests.letter_cases_more import ACCOUNTANT, TEACHER

LETTERS: list[tuple[Candidate, str]] = [
    (
        DEVELOPER,
        """Dear Jonas Berg,

I am writing to express my enthusiasm for the Platform Engineer role at Northwind Traders. As a
Senior Backend Developer at Fjord Payments, where I own the settlement service of a card
processor, I have spent the last six years making systems that are boring in the best sense of
the word: predictable, observable and easy to change.

In my current role, I led a team of six engineers through the move from a monolith to services.
Along the way, we cut the nightly settlement run from 4 hours to 35 minutes and reduced our AWS
spending by 30%. Earlier in my career, at Kastrup Analytics, I built a Kafka pipeline that handled
1.2 million events per day and introduced automated tests in Python and PostgreSQL.

Your posting mentions Kubernetes and Terraform. While these are not yet part of my daily toolbox,
my experience with Docker and AWS gives me a solid starting point, and I am confident that I can
get up to speed quickly. I already write Go, which I understand is one of the languages you value.

What excites me most about Northwind is the scale: running the warehouse software of 400 retailers
is exactly the kind of challenge where reliability matters. I would be happy to relocate to
Copenhagen or to work remotely, whichever suits your team best.

Thank you for considering my application. I would welcome the opportunity to discuss how my
background could support your goals.

Kind regards,
Mara Lindqvist""",
    ),
    (
        NURSE,
        """Dear Hiring Manager,

When I read that Mercy Clinic is looking for a Ward Manager, I knew I had to apply. Leading people
with a steady hand, even on difficult days, is what I do best.

As Charge Nurse at St. Brigid's Hospital from January 2018 to September 2023, I supervised 14
nurses on a 32-bed cardiac ward. One achievement I am particularly proud of is a double-check
routine that cut medication errors by 22 percent. I also trained new staff in wound care and
telemetry, which strengthened my wish to work in a role with teaching at its heart.

Before that, I spent over three years as a Staff Nurse at Riverside Hospice, where I provided
palliative care for adults and supported their families. I hold a BSc in Nursing from University
College Cork and a certificate in Advanced Cardiac Life Support.

You ask for a master's degree in health management; I do not have one, but I bring nine years of
nursing experience and a willingness to study alongside my work.

I would be delighted to meet you and Dr. Walsh in Dublin.

Yours sincerely,
Grace O'Connell""",
    ),
    (
        MARKETER,
        """Dear Petra Vogel,

Good writing sells, and I have built my career on that conviction. I would love to bring it to Wild
Oats as your Head of Content.

Over the past six years at Brightside Foods, I grew our newsletter from 8,000 to 52,000
subscribers, managed a campaign budget of £1.5 million, and had the honour of winning the Golden
Spoon award in 2022. My earlier years as a Copywriter with Harbour & Lane, where I wrote product
texts for 40 brands, taught me to find the right tone for every audience.

On the technical side, I am comfortable with SEO, Google Analytics, HubSpot and Figma. I have not
worked with Salesforce so far, and my German is something I would still have to learn; I mention
it because I believe in plain words. In fact, that is also the title of my article, "Plain Words
Sell", in Copy Monthly.

I studied English Literature at the University of Leeds and graduated in 2015. Your organic
cereals have been around since 1998, and I would be proud to help tell the next part of that story.

Best wishes,
Daniel Osei
d.osei@post.example""",
    ),
    (
        PHYSICIST,
        """Dear Hiring Team,

I am excited to apply for the position of Senior Data Scientist at WindWise. Forecasting wind power
for 60 parks is the kind of problem that brings together everything I enjoy: physics, data and a
purpose.

Since January 2021 I have worked as a Data Scientist at Iberia Grid, where I forecast electricity
demand with gradient boosting. My models are 12% more accurate, and I regularly present results to
the regulator. With more than five years in the energy sector, I know how much depends on a good
forecast.

I came to energy from particle physics. I completed my PhD at the Universidad Autónoma de Madrid
in 2016, the year in which I received the Young Researcher Prize from the RSEF, and then spent
three years as a Research Fellow at CERN, analysing collision data with ROOT and Python. I have
published 15 papers.

Your team uses PyTorch and Spark. I have relied on scikit-learn and XGBoost until now and look
forward to adding both tools. I speak Spanish and English, and a little French.

Sincerely,
Ana Ruiz""",
    ),
    (
        TEACHER,
        """Dear Ms. Hale,

It is with great pleasure that I submit my application for the position of Deputy Head Teacher
within the Kingswood Trust.

As Head of Mathematics at Ashton Park School, I lead a department of nine teachers. Since I took
up the post in September 2019, GCSE pass rates have risen from 61% to 78%. I also set up a robotics
club, which 45 pupils attend. In my previous role at Clifton Academy I wrote the school's new
algebra curriculum, an experience that taught me how much clear structure helps pupils to learn.

I read Mathematics at the University of Bristol and completed a PGCE at UCL in 2015. I do not hold
the NPQ qualification yet and would be glad to work towards it. Safeguarding, to which your posting
gives due weight, has been part of my daily duties throughout my career.

Should a part-time arrangement be possible, I would be most grateful to discuss it.

Yours sincerely,
Priya Nair""",
    ),
    (
        ACCOUNTANT,
        """To whom it may concern,

I would like to apply for the position of Head of Accounting at Solaris Energy in Berlin.

For more than eight years I have been a Senior Accountant at Hansen Logistics in Hamburg, where I
close the books of seven subsidiaries each month. I shortened the month-end close from ten days to
four, and I prepare the annual statements under IFRS and HGB. Before joining Hansen, I worked for
Deloitte as an Audit Associate and audited manufacturing clients with sales of up to €250 million.

I hold an M.Sc. in Business Administration from the Universität Mannheim and have been a
Bilanzbuchhalter since 2019. SAP FI, DATEV and Excel are my everyday tools; Oracle would be new to
me. I am not a CPA, but my certificate covers comparable ground.

My notice period is three months, and my salary expectation is 78,000 euros.

Best regards,
Lukas Brandt
+49 30 901820""",
    ),
]
