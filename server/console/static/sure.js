// A button for what deletes: the first press asks and offers Cancel, the second one does it; the second
// of a double click does nothing.
import { useEffect, useRef, useState } from "./vendor.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";

/** Escape, a press elsewhere and a focus that leaves withdraw the first press.
 * @param {{name: string, question: string, style?: string, onSure: Function}} props
 * name: its label before; alone an icon where style has "square" */
export function SureButton({ name, question, style = "", onSure }) {
  const [isSure, setSure] = useState(false);
  const own = useRef(null);
  useEffect(() => {
    if (!isSure) return undefined;
    const withdraw = (event) => {
      // A button that has just been taken off the page has no element any more
      const isOwn = !own.current || own.current.contains(event.target);
      if (event.type === "keydown" ? event.key !== "Escape" : isOwn) return;
      // Escape is for the button alone: it closes no dialog around it
      if (event.type === "keydown") (event.preventDefault(), event.stopPropagation());
      setSure(false);
    };
    const ways = ["keydown", "pointerdown", "focusin"];
    for (const way of ways) document.addEventListener(way, withdraw, true);
    return () => {
      for (const way of ways) document.removeEventListener(way, withdraw, true);
    };
  }, [isSure]);
  const isIcon = !isSure && style.includes("square");
  const press = ({ detail }) => detail < 2 && (isSure && onSure(), setSure(!isSure));
  const small = style.includes("small") ? "small" : "";
  const leave = ({ currentTarget, relatedTarget }) =>
    currentTarget.contains(relatedTarget) || setSure(false);
  const cancel = () => (setSure(false), own.current.firstElementChild.focus());
  return html`<span ref=${own} class="sure" onFocusOut=${leave}
    ><button
      type="button"
      class=${isSure ? `${small} danger` : style}
      title=${isIcon ? name : null}
      onClick=${press}
    >
      <${Icon}
        name="trash"
        size=${14}
        label=${isIcon ? name : null}
      />${isSure ? question : !isIcon && name}</button
    >${isSure && html`<button type="button" class=${`${small} ghost`} onClick=${cancel}>Cancel</button>`}</span
  >`;
}
