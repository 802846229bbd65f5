import { createTelegramClient } from '../src/clients/messenger/telegram.ts';
import type {
  MessengerDialog,
  MessengerMessage,
  MessengerReader,
  MessengerSession,
  MessengerUser,
} from '../src/clients/messenger/types.ts';
import { createBuiltInSummarizer } from '../src/clients/summarizer/builtIn/summarizer.ts';
import type { Config } from '../src/config.ts';
import { type Ask, type Check, type CleanUp, LeftOut } from './checks.ts';

const MESSAGES = 50;
const TRIES = 3;

type Deps = { config: Config; isConfigured: boolean; ask: Ask; cleanUp: CleanUp };
type SignedIn = { session: MessengerSession; user: MessengerUser };

/**
 * Signing in, the list of conversations, one history, and a digest of it by the built-in summarizer. The session is one of
 * its own, kept in memory alone and signed out at the end. It only reads.
 */
export function messengerChecks({ config, isConfigured, ask, cleanUp }: Deps): {
  signIn: Check;
  conversations: Check;
  history: Check;
  digest: Check;
} {
  const client = createTelegramClient({ ...config.messenger, report: () => undefined });
  let signedIn: SignedIn | undefined;
  let chosen: MessengerDialog | undefined;
  let messages: MessengerMessage[] = [];
  const reading = async <T>(use: (reader: MessengerReader) => Promise<T>): Promise<T> => {
    if (!signedIn) throw new LeftOut('needs a sign-in');
    return await client.withConnection(signedIn.session, use);
  };
  const keepSession = (session: MessengerSession) =>
    cleanUp('the Telegram session of this check (Telegram, Settings, Devices)', () => client.logOut(session));

  async function signIn(): Promise<string> {
    if (!isConfigured) throw new LeftOut('MESSENGER_API_ID and MESSENGER_API_HASH are not set');
    const phone = (await ask('Your Telegram phone number, as in +34600111222 (Enter leaves Telegram out): ')).trim();
    if (phone === '') throw new LeftOut('skipped');
    const sent = await client.sendCode(phone);
    const result = await withTries(`The code that Telegram sent (${sent.delivery}): `, code =>
      client.signIn({ ...sent, phone, code }),
    );
    if (!result.needsPassword) {
      signedIn = result;
      keepSession(result.session);
      return `signed in, the code came by ${sent.delivery}`;
    }
    const asked = 'The password of your two-step verification: ';
    const after = await withTries(asked, password => client.checkPassword({ session: result.session, password }));
    if (after.needsPassword) throw new Error('the password was asked for twice');
    signedIn = after;
    keepSession(after.session);
    return `signed in with a password, the code came by ${sent.delivery}`;
  }

  /** A slip of the finger is no finding: asks again. */
  async function withTries<T>(question: string, use: (answer: string) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      const answer = (await ask(question, { isSecret: true })).trim();
      if (answer === '') throw new LeftOut('skipped');
      try {
        return await use(answer);
      } catch (err) {
        const isSlip = err instanceof Error && 'code' in err && /^(CODE|PASSWORD)_INVALID$/.test(String(err.code));
        if (!isSlip || tried === TRIES) throw err;
      }
    }
  }

  async function conversations(): Promise<string> {
    const page = await reading(firstPage);
    const readable = page.filter(({ unreadable }) => unreadable === null);
    chosen = readable.find(({ peerType, topMessageId }) => peerType === 'user' && topMessageId > 0);
    if (page.length === 0) throw new Error('the account has no conversations');
    return `${page.length} on the first page, ${readable.length} of them would be read`;
  }

  async function history(): Promise<string> {
    const dialog = chosen;
    if (!dialog) throw new LeftOut('needs a private conversation with messages');
    const range = { afterId: 0, untilId: dialog.topMessageId, limit: MESSAGES };
    messages = await reading(reader => reader.history(dialog.peer, range));
    const after = (await reading(firstPage)).find(({ peerId }) => peerId === dialog.peerId);
    if (messages.length === 0) throw new Error('the newest private conversation came back empty');
    if (after && after.unreadCount < dialog.unreadCount) throw new Error('reading it marked messages as read');
    return `${messages.length} messages of the newest private conversation, and nothing was marked as read`;
  }

  async function digest(): Promise<string> {
    if (!signedIn || !chosen || messages.length === 0) throw new LeftOut('needs a history');
    const userName = [signedIn.user.firstName, signedIn.user.lastName].join(' ').trim();
    const { name: peerName } = chosen;
    const request = { peerName, userName, isGroup: false, messages, style: 'BUSINESS' as const, timezone: 'UTC' };
    const { summary, structured } = await createBuiltInSummarizer().summarize(request);
    if (summary.trim() === '') throw new Error('the digest is empty');
    const shown = (await ask('Show the digest here, to judge it? (y/N): ')).trim().toLowerCase() === 'y';
    return `${summary.length} characters, ${structured.actionItems.length} action items${shown ? `:\n${summary}` : ''}`;
  }

  return {
    signIn: { name: 'signing in to Telegram', run: signIn },
    conversations: { name: 'the list of conversations', run: conversations },
    history: { name: 'one history', run: history },
    digest: { name: 'a digest of it', run: digest },
  };
}

async function firstPage(reader: MessengerReader): Promise<MessengerDialog[]> {
  for await (const page of reader.dialogs('main')) return page.dialogs;
  return [];
}
