// A conversation on the screen: what was said, and the runs that answer, whoever began them.
import { signal } from "./vendor.js";
import { get, request, untilAnswered, watchRun } from "./api.js";
import { foldEvent, startRun } from "./fold.js";
import { loadPending } from "./session.js";

const PAGE = 50;
const SHOW_EVERY_MS = 50;
const ROOM = "/api/chat/conversations";

export class Talk {
  constructor(id) {
    this.id = id;
    this.title = signal("");
    this.messages = signal([]);
    this.hasEarlier = signal(false);
    this.run = signal(null);
    this.isOnline = signal(true);
    this.error = signal(null);
    this.isAtEnd = true; // what comes is scrolled to
    this.following = null; // who reads and watches at present
    this.isOutdated = false; // there is more than was read
    this.left = new AbortController();
    this.view = { signal: this.left.signal, onState: (isOpen) => (this.isOnline.value = isOpen) };
  }

  /** Show what is stored, and what runs. Who follows a run already looks again behind it. */
  async open() {
    this.isOutdated = true;
    if (!this.id || this.following) return;
    try {
      await this.follow(null);
    } catch (error) {
      if (error.name !== "AbortError") this.error.value = error;
    }
  }

  /** Another run than the one that is shown: of another tab, of another client. */
  hear(change) {
    const isOther = change.conversation_id === this.id && change.run_id && change.run_id !== this.run.value?.id;
    if (isOther || change.status === "reset") void this.open();
  }

  /** The run, and one after the other those that others begin, as long as there are some. */
  async follow(what) {
    const own = (this.following = {}); // who says something while this still reads takes over
    try {
      for (let next = what; (next || this.isOutdated) && this.following === own; )
        next = await (next ? this.watch(next) : untilAnswered(() => this.refresh(), this.view));
    } finally {
      if (this.following === own) this.following = null;
    }
  }

  /** Read what is stored; the run to be watched then, or null. */
  async refresh() {
    this.isOutdated = false;
    const found = await get(`${ROOM}/${this.id}?limit=${PAGE}`);
    const first = found.messages[0]?.position;
    const earlier = this.messages.value.filter((item) => item.position < first);
    const isKept = earlier.at(-1)?.position === first - 1; // who has gone back reads there
    this.messages.value = isKept ? [...earlier, ...found.messages] : found.messages;
    if (!isKept) this.hasEarlier.value = found.has_earlier;
    this.title.value = found.conversation.title;
    if (found.conversation.kind === "onboarding") this.path = "/api/chat/onboarding/messages";
    return found.active_run_id ? { conversation: this.id, runId: found.active_run_id } : null;
  }

  async loadEarlier() {
    const first = this.messages.value[0]?.position;
    const found = await get(`${ROOM}/${this.id}?limit=${PAGE}&before=${first}`);
    this.messages.value = [...found.messages, ...this.messages.value];
    this.hasEarlier.value = found.has_earlier;
  }

  async say(content) {
    this.isAtEnd = true;
    this.error.value = null;
    try {
      if (!this.id) {
        this.id = (await request("POST", ROOM, {})).id;
        history.replaceState(null, "", `#/chat/${this.id}`);
      }
      const shown = { id: `new-${content.length}-${Date.now()}`, role: "user", content, parts: [] };
      this.messages.value = [...this.messages.value, shown];
      await this.follow({ conversation: this.id, message: { content }, path: this.path });
    } catch (error) {
      this.run.value = null;
      this.error.value = error;
      throw error;
    }
  }

  /**
   * Fold what comes; the screen changes as often as one can read, however many tokens there are.
   * Gives the run to be watched then, or null.
   */
  async watch(what) {
    const run = startRun(what.runId);
    let timer = 0;
    const show = () => {
      timer = 0;
      this.run.value = { ...run };
    };
    show();
    const view = { ...this.view, onRun: (id) => (run.id = id) };
    for await (const event of watchRun(what, view)) {
      foldEvent(run, event, performance.now());
      if (event.event.startsWith("approval_")) void loadPending();
      if (event.event === "run_start" && what.runId) this.loadSaid(run.id);
      timer ||= setTimeout(show, SHOW_EVERY_MS);
    }
    clearTimeout(timer);
    if (this.left.signal.aborted) return null;
    show();
    const next = await untilAnswered(() => this.refresh(), this.view);
    run.isStored = true;
    show();
    return next?.runId === run.id ? null : next;
  }

  /** Of a run that was queued, what was said is stored only as it begins. */
  loadSaid(runId) {
    const isShown = this.messages.value.some((item) => item.run_id === runId);
    if (!isShown) this.refresh().catch(() => {}); // it is read once more at the run's end
  }

  cancel() {
    return request("POST", `${ROOM}/${this.id}/cancel`);
  }

  leave() {
    this.following = null;
    this.left.abort();
  }
}
