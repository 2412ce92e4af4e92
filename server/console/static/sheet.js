// Style sheets of single screens: who only talks never loads them.

/** Once the sheet is there, or cannot be had: a screen without it is plain, but it is one. */
export const addSheet = (name) =>
  new Promise((settle) =>
    document.head.append(
      Object.assign(document.createElement("link"), {
        rel: "stylesheet",
        href: new URL(name, import.meta.url),
        onload: settle,
        onerror: settle,
      }),
    ),
  );
