// Values that components follow: a component that read one while it was drawn is drawn again when the
// value changes. A few lines on Preact's hooks in place of a package (2.7 kB less in every first visit).
import { options } from "preact";

let drawn = null; // the component whose function runs now

/** Have `work` called with a component before Preact's own part of a step, under the name in its build. */
function onStep(name, work) {
  const before = options[name];
  options[name] = (vnode, ...rest) => {
    work(vnode.__c);
    before?.(vnode, ...rest);
  };
}

const stopDrawing = () => (drawn = null);
onStep("__r", (component) => (drawn = component)); // its function is called next
onStep("__b", stopDrawing); // its children come next
onStep("diffed", stopDrawing);
onStep("unmount", (component) => {
  for (const followers of component?.followed ?? []) followers.delete(component.follow);
});

/** A value as `value`; `subscribe(work)` calls `work` with it now and after each change, and returns how to stop. */
export function signal(value) {
  const followers = new Set();
  return {
    get value() {
      if (drawn) {
        const component = drawn;
        followers.add((component.follow ??= () => component.setState({})));
        (component.followed ??= new Set()).add(followers);
      }
      return value;
    },
    set value(next) {
      if (next === value) return;
      value = next;
      for (const follow of [...followers]) follow(value);
    },
    subscribe(work) {
      followers.add(work);
      work(value);
      return () => followers.delete(work);
    },
  };
}
