import { randomUUID } from 'node:crypto';
import { createTelegramBot } from '../src/clients/alertBot/telegramBot.ts';
import { createSmtpMailer } from '../src/clients/mailer/smtp.ts';
import { createOpenAiSummarizer } from '../src/clients/summarizer/openai.ts';
import type { Config } from '../src/config.ts';
import { type Ask, type Check, LeftOut } from './checks.ts';

type Deps = { config: Config; ask: Ask };

const WORDS = 'This is a check of Forenoon. Nothing to do.';

/** One mail to the person, who says whether it came. */
export function mailCheck({ config, ask }: Deps): Check {
  async function run(): Promise<string> {
    const { url, from } = config.mail;
    if (!url || !from) throw new LeftOut('MAIL_URL and MAIL_FROM are not set');
    const to = (await ask('An email address of yours for one mail (Enter leaves it out): ')).trim();
    if (to === '') throw new LeftOut('skipped');
    const mailer = createSmtpMailer({ url, from });
    try {
      await mailer.send({ to, subject: 'A check of Forenoon', text: WORDS, html: `<p>${WORDS}</p>`, id: randomUUID() });
    } finally {
      mailer.close();
    }
    return await arrived(ask, 'the mail', 'the mail server took it');
  }
  return { name: 'a mail', run };
}

/** One message to the operator's chat. */
export function botCheck({ config, ask }: Deps): Check {
  async function run(): Promise<string> {
    const { botToken: token, chatId, botApiUrl: apiUrl } = config.admin;
    if (!token || !chatId) throw new LeftOut('ADMIN_MESSENGER_BOT_TOKEN and ADMIN_MESSENGER_CHAT_ID are not set');
    await createTelegramBot({ token, chatId, apiUrl }).send({ title: 'Check', lines: [WORDS] });
    return await arrived(ask, "the bot's message", 'the bot took it');
  }
  return { name: 'the bot', run };
}

async function arrived(ask: Ask, what: string, taken: string): Promise<string> {
  const answer = (await ask(`Did ${what} arrive? (y/n, Enter when you can't tell): `)).trim().toLowerCase();
  if (answer === 'n') throw new Error(`${taken}, but ${what} did not arrive`);
  return answer === 'y' ? `${taken}, and ${what} arrived` : taken;
}

/** A made-up conversation: nothing of a person goes to the model. */
export function modelCheck({ config }: Deps): Check {
  async function run(): Promise<string> {
    const { apiKey, model, apiUrl, contextTokens, format, timeoutSeconds } = config.ai;
    if (!model) throw new LeftOut('AI_MODEL is not set');
    const reports: string[] = [];
    const report = ({ code }: { code: string }) => void reports.push(code);
    const options = { apiKey, model, contextTokens, format, report, callTimeoutMs: timeoutSeconds * 1000 };
    const summarizer = createOpenAiSummarizer({ ...options, ...(apiUrl && { apiUrl }) });
    const { summary, structured } = await summarizer.summarize(madeUpDay());
    if (summary.trim() === '') throw new Error('the model wrote nothing');
    const repaired = reports.length > 0 ? `, after ${[...new Set(reports)].join(', ')}` : '';
    return `${model} wrote ${summary.length} characters and ${structured.actionItems.length} action items${repaired}`;
  }
  return { name: 'the model', run };
}

function madeUpDay() {
  const said: [fromUser: boolean, text: string][] = [
    [false, 'Hi! Could you send me the offer for the 40 lamps by Friday?'],
    [true, "Yes, I'll send it on Thursday."],
    [false, 'Great. We decide next Monday, our budget is 12,000 EUR.'],
  ];
  const messages = said.map(([fromUser, text], index) => ({
    ...{ id: index + 1, sentAt: new Date(Date.now() - (said.length - index) * 60_000), fromUser, text },
    ...{ senderName: fromUser ? 'Nora' : 'Farid', forwarded: false },
  }));
  const about = { peerName: 'Farid', userName: 'Nora', isGroup: false, style: 'BUSINESS' as const, timezone: 'UTC' };
  return { ...about, messages };
}
