import { countOf } from '../../lib/words.ts';
import { MAIL_MODES, type MailMode, MODE_LABELS } from './mailSchema.ts';

type About = {
  mode: MailMode;
  email: string;
  past: { days: number; urgent: number };
  isConfigured: boolean;
  /** What is said beside the button; '' before anything was saved. */
  saved: string;
};

/** The section of the settings on mails, each choice with what it does. */
export function presentMail({ mode, email, past, isConfigured, saved }: About) {
  const effects: Record<MailMode, string> = {
    OFF: `Your digests stand on Today.`,
    ALWAYS: `After the daily digest. No mail on a day on which nothing new was written.`,
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

function pastWords({ days, urgent }: About['past']): string {
  if (days === 0) return '';
  if (days === 1) return urgent === 1 ? ' Your last day was.' : ' Your last day was not.';
  return ` Of your last ${countOf(days, 'day', 'days')}, ${urgent === 0 ? 'none was' : countOf(urgent, 'was', 'were')}.`;
}
