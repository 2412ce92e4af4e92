// A conversation on the screen: what was said, and the runs that answer, whoever began them.
import { signal } from "./vendor.js";
import { get, post, request, untilAnswered, watchRun } from "./api.js";
import { focusBox, openChat } from "./focus.js";
import { foldEvent, fromStored, startRun } from "./fold.js";
import { isAtVersion } from "./own_message.js";
import { decidedHere, loadPending, moveDraft } from "./session.js";
import { opened, openedTitle } from "./sidebar.js";

const PAGE = 50;
const SHOW_EVERY_MS = 50;
const STEPS = 100; // of a run that is over, the newest
const RUNS = 100; // the newest whose end is shown where they left no answer
const ROOM = "/api/chat/conversations";

export const writers = new Map(); // by chat, the other model that writes its newest answer
const texts = new Map(); // of messages in other versions, which never change

/** The text of a chat's message; null: not known. */
async function loadText(id, position) {
  const key = `${id}/${position}`;
  if (!texts.has(key)) {
    const find = get(`${ROOM}/${id}?limit=1&before=${position + 1}`);
    const text = find.then(({ messages }) => messages[0].content);
    texts.set(key, await text.catch(() => key));
  }
  return texts.get(key);
}

/** The versions of a question, and those of its answer: of one and the same question. */
async function sortVersions({ position, conversation_ids: all, at }) {
  const said = await Promise.all(all.map((id) => loadText(id, position)));
  const own = (n) => (said[n] === said[at] ? at : said.lastIndexOf(said[n]));
  const kinds = {
    Version: all.filter((_, n) => own(n) === n),
    Answer: all.filter((_, n) => own(n) === at),
  };
  return Object.entries(kinds).flatMap(([of, ids]) =>
    ids.length > 1 ? [[`${of} ${position}`, { of, position, ids, at: ids.indexOf(all[at]) }]] : [],
  );
}

/** A run that is over, with its last steps. */
export async function loadStored(runId) {
  const ask = (query) => get(`/api/runs/${runId}/steps?limit=${STEPS}${query}`);
  let [run, found] = await Promise.all([get(`/api/runs/${runId}`), ask("")]);
  const earlier = Math.max(0, found.total - STEPS);
  if (earlier) found = await ask(`&after=${found.steps[0].n + earlier - 1}`);
  return fromStored(run, found, earlier);
}

export class Talk {
  constructor(id) {
    this.id = id;
    this.title = signal("");
    this.messages = signal([]);
    this.hasEarlier = signal(false);
    this.ratings = new Map(); // what was thought of answers, by run
    this.run = signal(null);
    this.past = signal(null); // the newest run that is over, as it is kept
    this.model = signal(null); // that answers here; null: the service's own
    this.interview = signal(null); // the pack whose interview this is
    this.total = signal(null); // what all its runs together took, as the ledger says
    this.isUnsent = signal(false); // what was said has not reached the service yet
    this.accepted = Promise.resolve(); // once what was said last has
    this.isOnline = signal(true);
    this.error = signal(null);
    this.isAtEnd = !isAtVersion(); // what comes is scrolled to
    this.isAsked = false; // just now: the question is yet to be brought to the top
    this.heldY = -Infinity; // where the page stays for its question, until one scrolls on
    this.ends = signal(new Map()); // status of runs that left no answer, by id
    this.versions = signal(new Map()); // of questions that were edited, and of their answers
    this.models = signal([]); // that may be chosen here
    this.following = null; // who reads and watches at present
    this.isOutdated = false; // there is more than was read
    this.isRead = false; // what is stored is known
    this.begun = this.shown = 0; // readings: how many were begun, and which of them is shown
    this.left = new AbortController();
    addEventListener("online", () => (this.isOnline.value = true), { signal: this.left.signal });
    addEventListener(
      "offline", // of the browser: a service on this computer may answer all the same
      () => get("/api/session").catch(({ status }) => (this.isOnline.value = status > 0)),
      { signal: this.left.signal },
    );
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

  /** Another run than the one that is shown, of another tab or client, or another title. */
  hear(change) {
    const isOwn = change.conversation_id === this.id;
    if (isOwn && change.status === "renamed")
      get(`${ROOM}/${this.id}?limit=1`).then(
        (found) => (this.title.value = found.conversation.title),
        () => {}, // it is shown as before
      );
    const isOther = isOwn && change.run_id && change.run_id !== this.run.value?.id;
    if (change.approval_id && change.run_id === this.run.value?.id)
      void this.loadDecided(change.run_id);
    if (isOther || ["reset", "erased"].includes(change.status)) void this.open();
  }

  /** The run, and one after the other those that others begin, as long as there are some. */
  async follow(what) {
    const own = (this.following = {}); // who says something while this still reads takes over
    try {
      for (let next = what; (next || this.isOutdated) && this.following === own;)
        next = await (next ? this.watch(next) : untilAnswered(() => this.refresh(), this.view));
    } finally {
      if (this.following === own) this.following = null;
    }
  }

  /** Read which of the run's questions are decided: its events say so only once all of them are. */
  async loadDecided(runId) {
    try {
      const { approvals } = await get(`/api/runs/${runId}/approvals`);
      const run = this.run.value; // its events may have gone on meanwhile
      if (run?.id !== runId) return;
      for (const { approval_id: id, status } of approvals) {
        const question = run.questions.get(id);
        if (question?.status === "pending" && !decidedHere.has(id)) question.status = status;
      }
      this.run.value = { ...run };
    } catch {
      // they are shown as pending
    }
  }

  /** Read what is stored; the run to be watched then, or null. */
  async refresh() {
    this.isOutdated = false;
    const reading = ++this.begun;
    const found = await get(`${ROOM}/${this.id}?limit=${PAGE}`);
    const branched = found.versions ?? [];
    const [ends, ...versions] = await Promise.all([
      this.readEnds(found),
      ...branched.map(sortVersions),
    ]);
    const next = found.active_run_id && { conversation: this.id, runId: found.active_run_id };
    if (reading < this.shown) return next; // a later one was faster
    this.shown = reading;
    this.ratings = new Map(found.ratings.map((item) => [item.run_id, item]));
    const first = found.messages[0]?.position;
    const earlier = this.messages.value.filter((item) => item.position < first);
    const isKept = earlier.at(-1)?.position === first - 1; // who has gone back reads there
    const queued = this.messages.value.filter(
      (item) =>
        (item.isQueued || item.isNew) &&
        !found.messages.some((one) => one.role === "user" && one.content === item.content),
    );
    this.isRead = true;
    this.ends.value = new Map([...this.ends.value, ...ends]);
    this.versions.value = new Map(versions.flat());
    opened.value = branched.flatMap((item) => item.conversation_ids);
    this.messages.value = [...(isKept ? earlier : []), ...found.messages, ...queued];
    if (!isKept) this.hasEarlier.value = found.has_earlier;
    this.title.value = found.conversation.title;
    openedTitle.value = this.title;
    this.model.value = found.conversation.model;
    const { kind, pack } = found.conversation;
    this.interview.value = kind === "onboarding" ? pack : null;
    const last = found.messages.findLast((item) => item.run_id)?.run_id;
    if (last && !found.active_run_id && last !== this.past.value?.id) void this.loadPast(last);
    if (last && !found.active_run_id) void this.loadTotal();
    return next;
  }

  /** How runs ended that left no answer, by their ids. found: messages as the server lists them */
  async readEnds({ messages, active_run_id: active }) {
    const answered = new Set([active]);
    for (const item of messages)
      if (item.role === "assistant" && item.content) answered.add(item.run_id);
    const open = messages.filter(
      ({ run_id: id, role }) => role === "user" && id && !answered.has(id),
    );
    if (!open.length) return [];
    const { runs } = await get(`${ROOM}/${this.id}/runs?limit=${RUNS}`);
    return runs.filter(({ id }) => !answered.has(id)).map(({ id, status }) => [id, status]);
  }

  async loadTotal() {
    try {
      const { usage, threads } = await get(`/api/usage?chat_id=${this.id}`);
      this.total.value = { ...usage[0], ...threads[0] };
    } catch {
      // shown without
    }
  }

  /** What the newest run did; its end is long over, so a failure here is told by the run's own page. */
  async loadPast(runId) {
    try {
      const past = await loadStored(runId);
      if (!this.left.signal.aborted) this.past.value = past;
    } catch {
      // shown without
    }
  }

  async rename(title) {
    this.title.value = (await request("PATCH", `${ROOM}/${this.id}`, { title })).title;
  }

  /** What answers from now on; of a chat that has not begun it is said as it begins. */
  async choose(model) {
    if (this.id) await request("PATCH", `${ROOM}/${this.id}`, { model });
    this.model.value = model;
  }

  async loadEarlier() {
    const first = this.messages.value[0]?.position;
    const found = await get(`${ROOM}/${this.id}?limit=${PAGE}&before=${first}`);
    this.ends.value = new Map([...(await this.readEnds(found)), ...this.ends.value]);
    this.messages.value = [...found.messages, ...this.messages.value];
    this.hasEarlier.value = found.has_earlier;
  }

  /** Say something: it is sent once, as soon as there is a line. */
  async say(content, files = []) {
    this.isAsked = true;
    this.error.value = null;
    const shown = {
      id: `new-${content.length}-${Date.now()}`,
      role: "user",
      content,
      parts: files.map(({ name }) => ({ type: "file", name })),
      created_at: new Date().toISOString(),
      isNew: true,
    };
    this.messages.value = [...this.messages.value, shown];
    this.isUnsent.value = true;
    this.accepted = new Promise((resolve) => (this.accept = resolve));
    try {
      if (!this.id) {
        this.run.value = startRun();
        this.id = (
          await untilAnswered(() => request("POST", ROOM, { model: this.model.value }), this.view)
        ).id;
        moveDraft(this.id); // what was written since
        if (this.left.signal.aborted)
          return await post(
            `${ROOM}/${this.id}/messages`,
            { content, files },
            { signal: new AbortController().signal },
          ); // said is said
        history.replaceState(null, "", `#/chat/${this.id}`);
      }
      await this.follow({
        conversation: this.id,
        message: { content, files },
        path: this.path,
        shown,
      });
      this.keepUnsent();
    } catch (error) {
      if (error.name === "AbortError") return this.keepUnsent();
      this.messages.value = this.messages.value.filter((item) => item !== shown);
      this.isUnsent.value = false;
      this.run.value = null;
      this.error.value = error;
      throw error;
    }
  }

  /**
   * Say something in the place of a message, or ask again in the place of its answer. That is
   * another version of this chat, which is opened. body: `{content?, files?, model?}`
   */
  async replace(position, body, isBusy) {
    this.error.value = null;
    const whenBusy = isBusy ? { when_busy: "interrupt" } : {};
    try {
      const said = { ...body, ...whenBusy, replaces: position };
      const id = await post(`${ROOM}/${this.id}/messages`, said, this.view);
      if (body.model) writers.set(id, body.model);
      openChat(`#/chat/${id}`);
    } catch (error) {
      if (error.name !== "AbortError") this.error.value = error;
    }
  }

  /** Raise where one has left before there was a line: what was said goes back to where it was written. */
  keepUnsent() {
    if (this.left.signal.aborted && this.isUnsent.value && !this.isOnline.value)
      throw new DOMException("not sent", "AbortError");
  }

  /** Say it while a run goes on. whenBusy: `enqueue`, after that one; `interrupt`, in its stead. */
  async sayMore(content, whenBusy) {
    this.isAtEnd = true;
    this.heldY = -Infinity;
    const shown = {
      id: `more-${content.length}-${Date.now()}`,
      role: "user",
      content,
      parts: [],
      isQueued: whenBusy === "enqueue",
      isUnsent: true,
    };
    this.messages.value = [...this.messages.value, shown];
    this.isOutdated = true; // whoever follows the present run looks for this one behind it
    try {
      await this.accepted; // in the order in which it was said
      const body = { content, when_busy: whenBusy };
      await post(this.path ?? `${ROOM}/${this.id}/messages`, body, this.view);
      shown.isUnsent = false;
      this.messages.value = [...this.messages.value];
    } catch (error) {
      if (error.name === "AbortError" && this.isOnline.value) return;
      this.messages.value = this.messages.value.filter((item) => item !== shown);
      this.error.value = error;
      throw error;
    }
    if (!this.following) void this.open();
  }

  /**
   * Fold what comes; the screen changes as often as one can read, however many tokens there are.
   * Gives the run to be watched then, or null.
   */
  async watch(what) {
    const run = startRun(what.runId);
    const own = this.following;
    let timer = 0;
    const show = () => {
      timer = 0;
      if (this.following === own) this.run.value = { ...run }; // else the next one is shown already
    };
    show();
    if (!what.message) void this.loadTimes(run, what.runId).then(show);
    const onRun = (id) => {
      run.id = id;
      show(); // what is shown shares its questions with what is folded next: never without the id
      this.isUnsent.value = false;
      this.accept?.();
    };
    const view = { ...this.view, onRun };
    for await (const event of watchRun(what, view)) {
      foldEvent(run, event, performance.now());
      if (event.event.startsWith("approval_")) void loadPending();
      if (event.event === "approval_request" && !what.message) void this.loadDecided(run.id);
      if (event.event === "run_start" && what.runId) this.loadSaid(run.id);
      timer ||= setTimeout(show, SHOW_EVERY_MS);
    }
    clearTimeout(timer);
    if (this.left.signal.aborted) return null;
    show();
    if (what.shown) what.shown.isNew = false;
    const next = await untilAnswered(() => this.refresh(), this.view);
    if (run.id) void this.loadPast(run.id);
    run.isStored = true;
    writers.delete(this.id);
    show();
    return next?.runId === run.id ? null : next;
  }

  /** How long the steps took that were over before this page looked: they come all at once. */
  async loadTimes(run, runId) {
    run.known = new Map();
    try {
      const { steps } = await get(`/api/runs/${runId}/steps`);
      for (const step of steps) run.known.set(step.n, step.duration_ms);
      for (const step of run.steps) if (run.known.has(step.n)) step.ms = run.known.get(step.n);
    } catch {
      // then as they came
    }
  }

  /** Of a run that was queued, what was said is stored only as it begins. */
  loadSaid(runId) {
    const isShown = this.messages.value.some((item) => item.run_id === runId);
    if (!isShown) this.refresh().catch(() => {}); // it is read once more at the run's end
  }

  /** Stop the answer, as soon as the service knows of it; one goes on in the message field. */
  async cancel() {
    focusBox();
    try {
      await this.accepted;
      await request("POST", `${ROOM}/${this.id}/cancel`);
    } catch (error) {
      this.error.value = error;
    }
  }

  leave() {
    this.following = null;
    this.left.abort();
  }
}
