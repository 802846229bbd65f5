/** `supergroup` is a large group, `channel` a one-way broadcast. */
export type PeerType = 'user' | 'group' | 'supergroup' | 'channel' | 'bot';

/** Why a conversation is never read, or null when it may be. */
export type UnreadableReason = 'service' | 'self' | 'bot' | 'channel' | 'deleted' | null;

/** A connection's opaque state. A secret: it opens the whole account. Each sign-in step changes it: keep the newest. */
export type MessengerSession = string;

export type MessengerUser = {
  id: string;
  firstName: string;
  lastName: string;
  username: string;
  /** E.164, or '' when hidden. */
  phone: string;
};

export type SentCode = {
  session: MessengerSession;
  codeHash: string;
  /** Channel through which the code was sent. */
  delivery: 'app' | 'sms' | 'call' | 'other';
};

export type SignInResult =
  | { session: MessengerSession; user: MessengerUser; needsPassword: false }
  | { session: MessengerSession; needsPassword: true };

/** A sign-in by a code that the person scans with a device that is signed in already. */
export type ScanResult =
  | {
      state: 'waiting';
      session: MessengerSession;
      /** The content of the code. Whoever has it can sign this session in to their own account, and do nothing else. */
      link: string;
      expiresAt: Date;
    }
  /** Scanned, by an account of another data centre: {@link MessengerClient.followScan} goes on there. */
  | { state: 'moved'; session: MessengerSession; token: string }
  | { state: 'scanned'; signIn: SignInResult };

/** The data by which the messenger finds a peer again. Valid for this account only. */
export type PeerReference = {
  kind: 'user' | 'chat' | 'channel';
  /** The messenger's own positive id within its kind. */
  id: string;
  /** '' for `chat`, which needs none. */
  accessHash: string;
};

export type MessengerDialog = {
  /** Unique within an account: users positive, groups negative, channels with the -100 prefix (the Bot API's convention). */
  peerId: string;
  peerType: PeerType;
  peer: PeerReference;
  name: string;
  /** Without the @; '' if there is none. */
  username: string;
  /** E.164, or '' when the person hides it. */
  phone: string;
  unreadable: UnreadableReason;
  /** 0 when the conversation is empty. Message ids count up within a conversation. */
  topMessageId: number;
  lastMessageAt: Date | null;
  unreadCount: number;
};

/** Kinds of attachments, with a name and a language-independent icon for excerpts. */
export const MEDIA = {
  photo: { sign: '📷', label: 'photo' },
  video: { sign: '🎬', label: 'video' },
  voice: { sign: '🎤', label: 'voice message' },
  document: { sign: '📎', label: 'file' },
  sticker: { sign: '', label: 'sticker' },
  location: { sign: '📍', label: 'location' },
  contact: { sign: '👤', label: 'contact' },
  poll: { sign: '📊', label: 'poll' },
  checklist: { sign: '☑️', label: 'checklist' },
  invoice: { sign: '🧾', label: 'payment request' },
  other: { sign: '📎', label: 'attachment' },
} as const;

export type MediaKind = keyof typeof MEDIA;

/**
 * The attachment of a message. `name`: of a file, a place, a person, the emoji of a sticker, the question of a poll,
 * the tasks of a checklist that are done, what an invoice is for and how much it asks, or ''.
 */
export type Media = { kind: MediaKind; name: string };

/** A message for the summarizer, the only one to receive its text, which is never stored. */
export type MessengerMessage = {
  id: number;
  sentAt: Date;
  /** True when the account's owner wrote it. */
  fromUser: boolean;
  senderName: string;
  /** The author's messenger id, which can't be forged; omitted if unknown. */
  senderId?: string;
  /** The words, the caption of its media, the title and open tasks of a checklist, a poll's options; '' where there are none. */
  text: string;
  media?: Media;
  forwarded: boolean;
  /** The id of the message that it replies to. */
  replyTo?: number;
};

/** The messenger's two lists of conversations. */
export type DialogList = 'main' | 'archive';

/** At most 100 conversations: pinned ones on the first page, then the newest. */
export type DialogPage = {
  dialogs: MessengerDialog[];
  /** Length of the whole list, by the messenger's count. */
  count: number;
  isLast: boolean;
  /** Later pages have no message newer than this. Null when this page doesn't tell. */
  laterUntil: Date | null;
};

/** The messenger limits calls that list conversations and calls that read them separately. */
export type CallKind = 'dialogs' | 'history' | 'other';

/** Sends a call once its time has come. Throws without sending it when the messenger wants no more calls. */
export type CallPace = <T>(kind: CallKind, send: () => Promise<T>) => Promise<T>;

/** An open connection. Valid only inside the function handed to {@link MessengerClient.withConnection}. */
export type MessengerReader = {
  /** Requests pages lazily, one after the other, with phones where people share them. */
  dialogs(list: DialogList): AsyncIterable<DialogPage>;
  /**
   * Messages with `afterId < id <= untilId`, oldest first. Returns the newest `limit` of them when there are more.
   * Service messages (joined, pinned) are left out, except those about a checklist's tasks and a poll's options.
   */
  history(peer: PeerReference, range: { afterId: number; untilId: number; limit: number }): Promise<MessengerMessage[]>;
};

/**
 * The messenger. Every method opens its own short connection and closes it before it settles, has a deadline, and
 * throws {@link ClientError} (service `messenger`) with one of these codes:
 * `PHONE_INVALID PHONE_BANNED PHONE_UNKNOWN CODE_INVALID CODE_EXPIRED PASSWORD_INVALID` (permanent),
 * `CODE_UNAVAILABLE CODE_COSTS APP_OUTDATED` (permanent: no code is sent, or no sign-in taken from us),
 * `SESSION_EXPIRED ACCOUNT_BANNED` (auth), `FLOOD_WAIT` (rateLimited), `PEER_GONE ACCOUNT_FROZEN` (permanent),
 * `TIMEOUT UNREACHABLE UNAVAILABLE` (temporary), `PARSER_POISONED` (permanent: an answer the library cannot read), `UNEXPECTED`.
 */
export type MessengerClient = {
  /** Whether the service takes our api_id and api_hash. Throws `API_KEYS_INVALID` (permanent) when it doesn't. */
  checkApiKeys(): Promise<void>;
  /** @param phone E.164 */
  sendCode(phone: string): Promise<SentCode>;
  signIn(step: { session: MessengerSession; phone: string; codeHash: string; code: string }): Promise<SignInResult>;
  checkPassword(step: { session: MessengerSession; password: string }): Promise<SignInResult>;
  /**
   * Shows a code to scan, or says that it was scanned. With the session of the last answer it shows the same code until that
   * expires, then the next one. @param session '' to begin
   */
  showScanCode(session: MessengerSession): Promise<ScanResult>;
  /** Throws `CODE_EXPIRED` when the scan was too long ago. */
  followScan(step: { session: MessengerSession; token: string }): Promise<SignInResult>;
  /** A session that has already ended counts as logged out. */
  logOut(session: MessengerSession): Promise<void>;
  /**
   * Runs `use` on one open connection; what `use` throws passes unchanged. `pace` decides when the reader's calls are
   * sent. Aborting `signal` closes the connection and rejects with the signal's reason.
   */
  withConnection<T>(
    session: MessengerSession,
    use: (reader: MessengerReader) => Promise<T>,
    options?: { signal?: AbortSignal; pace?: CallPace },
  ): Promise<T>;
};
