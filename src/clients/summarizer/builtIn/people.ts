import type { Conversation, Utterance } from '../conversation.ts';
import { isCalled, type Person } from './commitments.ts';
import type { Doer, Reading } from './types.ts';

/** Who is meant by "I", "you" and names. */
export class People {
  readonly #conversation: Conversation;
  /** Of each message, the first sentence that calls someone, by name. */
  readonly #calls = new WeakMap<Utterance, Map<string, number>>();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  doerOf(doer: Doer, reading: Reading, speaker: Person): Person | null {
    const { names, isGroup, speakers } = this.#conversation;
    if (doer === 'speaker') return speaker;
    // Between two people, "could someone let him in?" is for the other one to do.
    if (doer === 'someone' && (isGroup || !reading.sentence.isQuestion)) return null;
    if (!isGroup) return speaker.isUser ? { name: names.peer, isUser: false } : { name: names.user, isUser: true };
    const called = [names.user, ...speakers].find(name => name !== speaker.name && this.#isSpokenTo(name, reading));
    const asked = called ?? (reading.sentence.isQuestion ? this.#lastOther(reading, speaker) : undefined);
    return asked === undefined ? null : { name: asked, isUser: asked === names.user };
  }

  /** Who spoke just before: a question in a group that names no one is for them. */
  #lastOther(reading: Reading, speaker: Person): string | undefined {
    if (reading.lexicon.acts.someone.test(reading.folded) || reading.lexicon.acts.everyone.test(reading.folded))
      return undefined;
    const { utterances } = this.#conversation;
    const at = utterances.indexOf(reading.sentence.utterance);
    return utterances.slice(Math.max(0, at - 3), at).findLast(({ speaker: name }) => name !== speaker.name)?.speaker;
  }

  /** In this sentence, or in one before it in the same message. */
  #isSpokenTo(name: string, reading: Reading): boolean {
    const { sentence } = reading;
    const { utterance } = sentence;
    const calls = this.#calls.get(utterance) ?? new Map<string, number>();
    this.#calls.set(utterance, calls);
    const { sentences } = utterance;
    const first = calls.get(name) ?? sentences.findIndex(one => isCalled(name, { ...reading, sentence: one }));
    calls.set(name, first);
    return first >= 0 && first <= sentences.indexOf(sentence);
  }
}
