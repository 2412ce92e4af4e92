"""What German speakers say to a job tracker, labelled by hand; the form of `utterances`."""

from __future__ import annotations

FAST = """
Wie viele Stellen habe ich? => count jobs
wie viele jobs hab ich gespeichert => count jobs status=saved
Wie viele Stellen habe ich gespeichert? => count jobs status=saved
Auf wie viele Stellen habe ich mich beworben? => count jobs status>=applied
auf wie viele Jobs hab ich mich schon beworben => count jobs status>=applied
Wie viele Bewerbungen habe ich insgesamt? => count jobs
Wie viele meiner Bewerbungen wurden abgelehnt? => count jobs status=rejected
Wie viele meiner Stellen sind remote? => count jobs remote_type=remote
Wie viele gespeicherte Stellen habe ich? => count jobs status=saved
Wie viele Remote-Stellen habe ich gespeichert? => count jobs remote_type=remote status=saved
Wie viele Absagen habe ich bekommen? => count jobs status=rejected
Wie viele Absagen habe ich? => count jobs status=rejected
Wie viele Stellen habe ich bei Microsoft? => count jobs company~Microsoft
Wie viele Kontakte habe ich? => count contacts
Wie viele Kontakte habe ich bei Bosch? => count contacts company~Bosch
Wie viele Firmen stehen auf meiner Liste? => count companies
Wie viele Anschreiben habe ich? => count documents kind=cover_letter
Wie viele Dokumente habe ich gerade? => count documents
Hallo, wie viele Stellen habe ich aktuell? => count jobs
Sag mir bitte, wie viele Stellen ich gespeichert habe. => count jobs status=saved
Kannst du mir sagen, wie viele Bewerbungen ich habe? => count jobs
Wie hoch ist die Anzahl meiner Bewerbungen? => count jobs
Zähl meine gespeicherten Stellen => count jobs status=saved
Zähle alle meine Kontakte, bitte => count contacts
Habe ich gespeicherte Stellen? => count jobs status=saved
Habe ich Kontakte bei SAP? => count contacts company~SAP
Zeig mir meine Stellen => list jobs
Zeige mir alle meine Stellen! => list jobs
zeig mir bitte meine jobs => list jobs
Zeig mir meine gespeicherten Stellen => list jobs status=saved
Zeig mir alle Stellen, auf die ich mich beworben habe => list jobs status>=applied
Zeig mir die Stellen, die ich gespeichert habe. => list jobs status=saved
Zeig mir meine abgelehnten Bewerbungen => list jobs status=rejected
Zeige meine Remote-Jobs an => list jobs remote_type=remote
Liste meine Stellen auf => list jobs
Liste bitte alle meine Kontakte auf. => list contacts
Liste meine Firmen => list companies
Ich möchte meine gespeicherten Stellen sehen => list jobs status=saved
Kannst du mir meine Bewerbungen zeigen? => list jobs
Gib mir eine Liste meiner Stellen => list jobs
Welche Stellen habe ich? => list jobs
Welche Stellen habe ich gespeichert? => list jobs status=saved
Auf welche Stellen habe ich mich beworben? => list jobs status>=applied
Welche meiner Stellen sind hybrid? => list jobs remote_type=hybrid
Welche Kontakte habe ich bei Bosch? => list contacts company~Bosch
Was sind meine gespeicherten Stellen? => list jobs status=saved
Wer sind meine Kontakte? => list contacts
Zeig mir meine neuesten Stellen => list jobs by created_at desc
Zeig mir meine letzten 5 Bewerbungen => list jobs by created_at desc limit 5
Zeig mir die fünf neuesten Stellen auf meiner Liste => list jobs by created_at desc limit 5
Zeig mir meine Stellen sortiert nach Gehalt => list jobs by salary_min desc
Zeig mir meine Stellen mit einem Gehalt über 60.000 Euro => list jobs salary_min>=60001
Zeig mir meine Stellen mit Gehalt ab 50000 => list jobs salary_min>=50000
Zeig mir meine Stellen bei Microsoft => list jobs company~Microsoft
Zeig mir die Microsoft-Stelle => lookup jobs *~Microsoft
Öffne die Stelle bei Microsoft => lookup jobs company~Microsoft
Zeig mir meine Bewerbung bei SAP => lookup jobs company~SAP
Zeig mir Stelle 3 => lookup jobs #=3
Öffne Stelle Nummer 12 => lookup jobs #=12
Wie ist der Status meiner Bewerbung bei SAP? => lookup jobs company~SAP
Was ist der Status von Stelle 3? => lookup jobs #=3
Wer ist mein Kontakt bei Bosch? => lookup contacts company~Bosch
Finde den Kontakt „Jana Weiß“ => lookup contacts *~Jana Weiß
Öffne Dokument 9 => lookup documents #=9
Wie viele Jobs habe ich schon? => count jobs
Wie viele Stellenanzeigen habe ich gemerkt? => count jobs status=saved
Welche Stellen wurden abgelehnt? => list jobs status=rejected
Zeig mir alle meine Absagen => list jobs status=rejected
Wie viele Zusagen habe ich erhalten? => count jobs status>=offer
Zeig mir die letzten drei Stellen auf meiner Liste => list jobs by created_at desc limit 3
Könntest du mir meine Kontakte nennen? => list contacts
Nenne mir meine gespeicherten Jobs. => list jobs status=saved
Öffne Job #7 => lookup jobs #=7
Wie lautet die E-Mail von meinem Kontakt bei Bosch? => lookup contacts company~Bosch
Ich will meine Anschreiben sehen => list documents kind=cover_letter
Wie viele meiner Jobs sind vor Ort? => count jobs remote_type=onsite
Meine Stellen => list jobs
Auf wie viele Jobs habe ich mich heute beworben? => count jobs status>=applied status@today
Wie viele Stellen habe ich gestern gespeichert? => count jobs status>=saved status@yesterday
Wie viele Bewerbungen habe ich im März verschickt? => count jobs status>=applied status@march
Wann habe ich mich bei SAP beworben? => lookup jobs *~SAP
Liste Stellen in Berlin auf => list jobs location~Berlin
Wie ist der Stand bei SAP? => lookup jobs *~SAP
Liste Stellen bei Microsoft auf => list jobs company~Microsoft
Wie viele Absagen habe ich diese Woche bekommen? => count jobs status=rejected status@this_week
"""

NOT_FAST = """
Stelle 3
Auf wie viele Stellen habe ich mich noch nicht beworben?
Wie viele Stellen und Kontakte habe ich?
Auf wie viele Stellen sollte ich mich bewerben?
Wie viele Stellen gibt es in Berlin?
Wie viele Bewerber hat die Stelle bei Microsoft?
Wie viele Jahre Erfahrung habe ich?
Wie viele davon sind remote?
Zeig mir Stellen
Zeig mir Stellen in Berlin
Zeig mir neue Stellen
Zeig mir Remote-Stellen in Hamburg
Zeig mir die besten Stellen
Zeig mir passende Stellen
Zeig mir meine besten Stellen
Zeig mir meine Stellen und lösche die abgelehnten
Zeig mir meine Stellen, die nicht remote sind
Zeig mir meine Stellen ohne Gehalt
Zeig mir meine Stellen bei Microsoft oder SAP
Zeig mir meine Stellen außer denen bei Microsoft
Zeig mir meine Remote- oder Hybrid-Stellen
Zeig mir meine Stellen bei Startups
Zeig mir meine Stellen bei Banken
Zeig mir meine Stellen in Teilzeit
Zeig mir mehr
Zeig sie mir
Zeig mir die offene Stelle
Zeig mir die perfekte Stelle
Zeig mir meine alte Stelle
Zeig mir meine aktuelle Stelle
Zeig mir die erste
Zeig mir die Stellenbeschreibung der Microsoft-Stelle
Zeig mir mein Profil
Zeig mir meinen Lebenslauf
Zeig mir, wie ich mich bewerbe
Welche Stelle passt am besten zu mir?
Welche Stellen passen zu mir?
Auf welche Stellen soll ich mich als Nächstes bewerben?
Welche Stelle soll ich nehmen?
Welche Firmen stellen gerade ein?
Welche Unterlagen brauche ich für die Bewerbung bei SAP?
Warum wurde ich bei SAP abgelehnt?
Warum habe ich so viele Absagen?
Wie schreibe ich ein Anschreiben?
Wie lang sollte ein Anschreiben sein?
Wie bekomme ich mehr Zusagen?
Schreib ein Anschreiben für die Stelle bei Microsoft
Speichere die Stelle bei Microsoft
Füge eine Stelle bei SAP hinzu
Lösche Stelle 3
Verschiebe Stelle 3 nach beworben
Habe ich gute Chancen bei SAP?
Habe ich Zeit für neue Stellen?
Habe ich mich bei SAP beworben?
Ich habe drei Stellen gespeichert
Ich habe mich auf die Stelle bei SAP beworben
Finde Stellen in Berlin
Suche Stellen als Entwickler
Suche die Stelle bei Microsoft im Netz
Finde eine Stelle für mich
Öffne die Stelle
Öffne sie
Was ist eine Stelle?
Was sind gute Stellen?
Was ist der Status?
Liste meine Stärken auf
Liste zehn Tipps für Bewerbungen auf
Wenn ich Absagen habe, zeig sie mir
Und die Remote-Stellen?
Übersetze „Zeig mir meine Stellen“ ins Englische
Hallo
Danke
Stellen
wie viele
Wie viele Stellen habe ich bekommen?
Wie viele Positionen stehen in meinem Lebenslauf?
Wie hoch ist das Gehalt bei SAP?
Was ist mein Gehalt?
Zeig mir die Stellen bei Microsoft
Kann ich meine Bewerbungen zurückziehen?
Ich will meine Bewerbungen verbessern
Ich möchte meine Stelle kündigen
Zeig mir meine Stellen von gestern
Zeig mir meine Stellen seit Montag
Wie viele Stellen habe ich mir angesehen?
Wie viele Stellen habe ich verpasst?
Welche Stelle habe ich zuletzt gespeichert?
Welche Firmen haben mich abgelehnt?
Habe ich eine Zusage bei SAP verdient?
Gibt es Stellen bei SAP?
Gib mir Tipps für meine Bewerbungen
Zeig mir meine Stellen, aber nur die hybriden
Öffne die Bewerbungsmappe
Finde heraus, wie viele Stellen ich habe
Zeig mir die Teilzeit-Stelle
Zeig mir meine Kontakte bei Freunden
Nenne mir Stellen
Nenne mir gute Stellen
"""
