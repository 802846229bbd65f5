import { countOf, formatCount } from '../../lib/words.ts';
import { MAIL_MODES, type MailMode } from '../settings/schema.ts';
import { MODE_LABELS } from './schema.ts';

type About = {
  mode: MailMode;
  email: string;
  past: { days: number; urgent: number };
  isConfigured: boolean;
  /** What is said beside the button; '' before anything was saved. */
  saved: string;
};

/** The email section of the settings: each choice with its description. */
export function presentMail({ mode, email, past, isConfigured, saved }: About) {
  const effects: Record<MailMode, string> = {
    OFF: 'See your day on Today.',
    ALWAYS:
      'After the daily digest: what is due, who waits, and what’s new. No email on days with none of that, unless Telegram has signed Forenoon out.',
    URGENT: `When a conversation is urgent, or Telegram has signed Forenoon out.${pastWords(past)}`,
  };
  const choices = MAIL_MODES.map(value => ({
    value,
    label: MODE_LABELS[value],
    effect: effects[value],
    isChosen: value === mode,
  }));
  return { choices, email, isConfigured, saved };
}

/** Two days say nothing yet. */
const ENOUGH_DAYS = 3;

function pastWords({ days, urgent }: About['past']): string {
  if (days < ENOUGH_DAYS) return '';
  const some = urgent === 0 ? 'None' : formatCount(urgent);
  return ` ${some} of your last ${countOf(days, 'day', 'days')} with digests had something urgent.`;
}
