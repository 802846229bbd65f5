import { fold } from '../cleaning.ts';
import type { Lexicon } from '../languages/lexicon.ts';
import type { When } from './when.ts';

const SHORTEST_REST = 10;
/** The name after a greeting, with its title. */
const SPOKEN_TO = /^,?(?:\s\p{Lu}[\p{L}\p{M}'-]{0,30}\.?){1,3}(?=\s*[,.!:])/u;

/** What a no begins with. */
export const NO_FIRST = /^\P{L}*(?:no|not|nope|nah|nein|nee|ne|нет|ні|non|não|nie|hayır|yok)(?!\p{L})/u;

export function capitalized(text: string): string {
  return text.replace(/^[^\p{L}\p{N}@#]*\p{Ll}/u, start => start.toUpperCase());
}

/** "Well, OK, I will call them." is "I will call them." */
export function openingCut(text: string, { acts, code }: Lexicon): string {
  let rest = text;
  for (let cut = 0; cut < 3; cut += 1) {
    const found = acts.opening.exec(fold(rest, code));
    if (!found || found.index > 0) break;
    const behind = rest.slice(found[0].length).replace(SPOKEN_TO, '');
    const after = behind.replace(/^[\s,.!…:;-]+/u, '');
    const isMarked = /^\s*[,.!…:;-]/u.test(behind) || acts.opening.exec(fold(after, code))?.index === 0;
    if (after.length < SHORTEST_REST || !isMarked) break;
    rest = after;
  }
  const bare = rest
    .replace(/^[\s\p{Extended_Pictographic}]+/u, '')
    .replace(/(?<![\s\p{Extended_Pictographic}])[\s\p{Extended_Pictographic}]+$/u, '');
  return capitalized(bare || rest);
}

/** "Hi Sofia, sure" says yes. */
export function withoutGreeting(folded: string): string {
  return folded.replace(/^(?:hi|hello|hey|thanks|thank you|good morning|morning)(?: \p{L}{2,20})?, (?=\p{L})/u, '');
}

export function asSentence(text: string): string {
  // A name may be just an emoji: "🚀 says …".
  if (/^\p{Extended_Pictographic}/u.test(text)) return /[.!?…]$/u.test(text) ? text : `${text}.`;
  return capitalized(/[.!?…]$/u.test(text) ? text : `${text}.`);
}

/** "Simone asks Jonah to send a blurb": whom to, goes without saying. */
export function withoutReceiver(task: string, name: string): string {
  const [verb = '', ...rest] = task.split(' ');
  const given = rest.join(' ');
  const isGiven =
    /^(?:send|sent|resend|resent|give|gave|forward|forwarded|share|shared|bring|brought|email|emailed|mail|text)$/.test(
      verb,
    );
  if (!isGiven) return task;
  // "Give it to Nora by Wednesday"
  const behind = new RegExp(`^(it|them|this|that) to ${RegExp.escape(name)}(?= |$)`, 'u');
  if (behind.test(given)) return `${verb} ${given.replace(behind, '$1')}`;
  return given.startsWith(`${name} `) ? `${verb} ${given.slice(name.length + 1)}` : task;
}

/** The task with its current day in place of the one it was said with. */
export function withDay(text: string, said: When | null, now: When | null): string {
  const isSame = said?.date === now?.date && (now?.time === null || now?.time === said?.time);
  if (!said || !now || isSame || said.isHour) return text;
  const at = text.toLowerCase().lastIndexOf(said.words.toLowerCase());
  if (at < 0) return text;
  // The hour belonged to the former day.
  const behind = text
    .slice(at + said.words.length)
    .replace(/^\.(?=\s|$)/, '')
    .replace(said.time ? HOUR_BEHIND : /^ /, ' ');
  const hour = now.time && !now.words.includes(now.time) && said.time ? ` ${now.time}` : '';
  return `${text.slice(0, at).trimEnd()} ${now.words}${hour} ${behind.trimStart()}`.trim();
}

const HOUR_BEHIND = /^ (?:at |um |a las |às |à |в |о )?\d{1,2}(?:[:.h]\d{2})?(?: ?(?:am|pm|uhr|h))?(?= |$)/u;

/** A finished task is told without the day it was due on. */
export function withoutWords(text: string, when: When | null): string {
  if (!when || when.isHour) return text;
  const at = text.toLowerCase().lastIndexOf(when.words.toLowerCase());
  if (at < 0 || at + when.words.length < text.length) return text;
  return (
    text
      .slice(0, at)
      .trimEnd()
      .replace(/ (?:by|on|until|before|for)$/u, '')
      .trim() || text
  );
}

const RELATIVE =
  /^(?:today|tonight|tomorrow|heute|morgen|сегодня|завтра|сьогодні|hoy|mañana|hoje|amanhã|aujourd'hui|demain|dziś|jutro|bugün|yarın|oggi|domani)$/iu;

/** A list outlives the day, so "tomorrow" is dropped in favor of the date beside the task. */
export function withoutDay(text: string, when: When | null): string {
  if (!when || !RELATIVE.test(when.words)) return text;
  const at = text.toLowerCase().lastIndexOf(when.words.toLowerCase());
  if (at < 0) return text;
  const behind = text.slice(at + when.words.length);
  if (/^\s+\p{L}/u.test(behind)) return text;
  return `${text.slice(0, at)}${behind}`
    .replaceAll(/\s+/g, ' ')
    .replace(/ (?:by|on|until|before|bis|до|к|para|hasta|avant|d'ici|até|do)\s*$/u, '')
    .trim();
}
