"""Headings of résumés as public templates print them, in nineteen languages.

The titles are those of amruthpillai/reactive-resume (apps/web/locales/*.po) and of the Europass
labels in gmazzamuto/europasscv (src/def/*.def).
"""

from __future__ import annotations

import unicodedata

import pytest

from plainloop_careers.offline.resumes import find_heading

SECTIONS = (
    "work",
    "education",
    "skills",
    "languages",
    "certificates",
    "awards",
    "publications",
    "volunteer",
    "references",
)
TITLES = {
    "cs": "Zkušenosti | Vzdělání | Dovednosti | Jazyky | Osvědčení | "
    "Ocenění | Publikace | Dobrovolnictví | Reference",
    "da": "Erfaring | Uddannelse | Færdigheder | Sprog | Certificeringer | "
    "Priser | Publikationer | Frivillig | Referencer",
    "de": "Erfahrung | Ausbildung | Fähigkeiten | Sprachen | Zertifizierungen | "
    "Auszeichnungen | Veröffentlichungen | Freiwillige Arbeit | Referenzen",
    "el": "Εμπειρία | Εκπαίδευση | Δεξιότητες | Γλώσσες | Πιστοποιήσεις | "
    "Βραβεία | Δημοσιεύσεις | Εθελοντική εργασία | Συστάσεις",
    "es": "Experiencia | Formación académica | Habilidades | Idiomas | Certificaciones | "
    "Premios | Publicaciones | Voluntariado | Referencias",
    "fi": "Työkokemus | Koulutus | Taidot | Kielet | Sertifikaatit | "
    "Palkinnot | Julkaisut | Vapaaehtoistyö | Suosittelijat",
    "fr": "Expérience | Formation | Compétences | Langues | Certifications | "
    "Récompenses | Publications | Bénévolat | Références",
    "hu": "Tapasztalat | Tanulmányok | Készségek | Nyelvek | Tanúsítványok | "
    "Díjak | Publikációk | Önkéntesség | Referenciák",
    "it": "Esperienza | Formazione | Competenze | Lingue | Certificazioni | "
    "Premi | Pubblicazioni | Volontariato | Referenze",
    "nl": "Ervaring | Opleiding | Vaardigheden | Talen | Certificeringen | "
    "Prijzen | Publicaties | Vrijwilliger | Referenties",
    "no": "Erfaring | Utdanning | Ferdigheter | Språk | Sertifiseringer | "
    "Priser | Publikasjoner | Frivillig | Referanser",
    "pl": "Doświadczenie | Wykształcenie | Umiejętności | Języki | Certyfikaty | "
    "Wyróżnienia | Publikacje | Wolontariat | Referencje",
    "pt": "Experiência | Formação | Competências | Idiomas | Certificações | "
    "Prémios | Publicações | Voluntariado | Referências",
    "ro": "Experiență | Educație | Abilități | Limbi | Certificări | "
    "Distincții | Publicații | Voluntariat | Referințe",
    "ru": "Опыт | Образование | Навыки | Языки | Сертификаты | "
    "Награды | Публикации | Волонтерство | Рекомендации",
    "sk": "Skúsenosti | Vzdelanie | Zručnosti | Jazyky | Certifikácie | "
    "Ocenenia | Publikácie | Dobrovoľníctvo | Referencie",
    "sv": "Erfarenhet | Utbildning | Färdigheter | Språk | Certifieringar | "
    "Utmärkelser | Publikationer | Volontärarbete | Referenser",
    "tr": "Deneyim | Eğitim | Yetenekler | Diller | Sertifikalar | "
    "Ödüller | Yayınlar | Gönüllü | Referanslar",
    "uk": "Досвід | Освіта | Навички | Мови | Сертифікати | "
    "Нагороди | Публікації | Волонтер | Рекомендації",
}


@pytest.mark.parametrize("titles", TITLES.values(), ids=TITLES)
def test_the_headings_of_public_templates_are_known(titles: str) -> None:
    found = tuple(find_heading(title) for title in titles.split(" | "))

    assert found == SECTIONS


def test_headings_in_greek_capitals_have_no_accents() -> None:
    title_case = unicodedata.normalize("NFD", TITLES["el"])
    capitals = "".join(c for c in title_case if not unicodedata.combining(c)).upper()

    assert tuple(find_heading(title) for title in capitals.split(" | ")) == SECTIONS


@pytest.mark.parametrize(
    ("title", "section"),
    [
        ("Experienţă profesională", "work"),  # with cedillas, as the Europass form prints them
        ("Informaţii personale", "basics"),
        ("Angaben zur Person", "basics"),
        ("Προσωπικές πληροφορίες", "basics"),
        ("Osobné údaje", "basics"),
        ("Idegen nyelvek", "languages"),
        ("Alte limbi", "languages"),
        ("Digitálne zručnosti", "skills"),
    ],
)
def test_the_labels_of_the_europass_form_are_known(title: str, section: str) -> None:
    assert find_heading(title) == section
