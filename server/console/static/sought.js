// A search whose text stands in the address, once the typing rests.
import { useEffect, useRef, useState } from "./vendor.js";

const SEARCH_MS = 250;

/** What is typed into a search, and how it is set: `go` takes it once the typing rests. value: as the address has it */
export function useSought(value, go) {
  const [sought, setSought] = useState(value);
  const latest = useRef(go); // another search of the page may have changed the address meanwhile
  latest.current = go;
  useEffect(() => {
    if (sought.trim() === value) return;
    const timer = setTimeout(() => latest.current(sought.trim()), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [sought]);
  useEffect(() => setSought((now) => (now.trim() === value ? now : value)), [value]);
  return [sought, setSought];
}
