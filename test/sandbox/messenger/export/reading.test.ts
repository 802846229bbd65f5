import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadExport, parseExport } from '../../../../sandbox/messenger/export.ts';
import { StartError } from '../../../../src/lib/startError.ts';
import { account, chat, dialog, message, OWNER } from './records.ts';

function refusal(json: unknown): string {
  try {
    parseExport(json);
  } catch (error) {
    expect(error).to.be.instanceOf(StartError);
    return (error as StartError).message;
  }
  throw new Error('the export was accepted');
}

describe('A malformed export', () => {
  it('is one with the same chat twice', () => {
    expect(refusal(account(chat(), chat({ id: 42 }), chat()))).to.equal(
      'chats.list[2].id: expected another chat, found that of chats.list[0]',
    );
  });

  it('says which record is wrong and why', () => {
    const messages = [message(), message({ date: 'yesterday' })];
    expect(refusal(account(chat({ messages: [] }), chat({ messages })))).to.equal(
      'chats.list[1].messages[1].date: expected a date such as 2026-11-02T09:40:04, found "yesterday"',
    );
  });

  for (const fields of [
    { date: '2040-01-01T10:00:00', date_unixtime: '2209028400' },
    { date: '2040-01-01T10:00:00', date_unixtime: undefined },
    { date: '1969-07-20T20:17:40', date_unixtime: undefined },
    { date_unixtime: 4_102_444_800 },
  ]) {
    it(`is one with a date that the messenger cannot carry: ${JSON.stringify(fields)}`, () => {
      expect(refusal(chat({ messages: [message(fields)] }))).to.match(
        /^messages\[0\]\.date(?:_unixtime)?: expected a date between 1970 and January 2038, found /,
      );
    });
  }

  it('has no date that is none', () => {
    for (const date of ['NaN', '2026-13-45T10:00:00', Number.POSITIVE_INFINITY, null]) {
      expect(refusal(chat({ messages: [message({ date })] }))).to.include('messages[0].date: expected a date');
    }
    expect(refusal(chat({ messages: [message({ date_unixtime: 'NaN' })] }))).to.include('seconds since 1970');
  });

  it('says it for a single chat too', () => {
    expect(refusal(chat({ messages: [message({ type: 'note' })] }))).to.equal(
      'messages[0].type: expected message, service or unsupported, found "note"',
    );
  });

  it('lists the first three problems and counts the rest', () => {
    const messages = [message({ id: 'x' }), message({ from_id: 'bob' }), message({ text: 7 }), message({ id: 1.5 }), 3];
    expect(refusal(chat({ messages })).split('\n')).to.deep.equal([
      'messages[0].id: expected a whole number, found "x"',
      'messages[1].from_id: expected a sender such as user123 or channel123, found "bob"',
      'messages[2].text: expected text or a list of text parts, found a number',
      '… and 2 more',
    ]);
  });

  it('never quotes messages', () => {
    expect(refusal(chat({ messages: [message({ text: [{ type: 'bold', words: 'a secret' }] })] }))).to.equal(
      'messages[0].text: expected text or a list of text parts, found a list',
    );
  });

  for (const json of [null, [], {}, 'chats', { personal_information: OWNER }]) {
    it(`is anything without chats, such as ${JSON.stringify(json).slice(0, 30)}`, () => {
      expect(refusal(json)).to.equal(
        'This is not a Telegram export, no chats found: expected "chats" (a whole account) or "messages" (a single chat) ' +
          'at the top. When exporting, tick the chats to be included.',
      );
    });
  }
});

describe('An export file', () => {
  const HINT = 'In Telegram Desktop export with the format "Machine-readable JSON" and give its result.json.';
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'export-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function fileWith(content: string): Promise<string> {
    const path = join(folder, 'result.json');
    await writeFile(path, content);
    return path;
  }

  async function refusalOf(path: string): Promise<string> {
    const error = await loadExport(path).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartError);
    return (error as StartError).message;
  }

  it('is refused when it is missing or a folder', async () => {
    expect(await refusalOf(join(folder, 'none.json'))).to.equal(`${join(folder, 'none.json')}: there is no such file`);
    expect(await refusalOf(folder)).to.equal(`${folder}: it is a folder; give the result.json inside it`);
  });

  it('is refused when it is empty', async () => {
    expect(await refusalOf(await fileWith(' \n'))).to.equal(`The file is empty. ${HINT}`);
  });

  it('is refused with the place of the first error when it is not JSON, without quoting it', async () => {
    const path = await fileWith('{\n  "chats": {\n    "list": [private words]\n');
    expect(await refusalOf(path)).to.equal(`The file is not JSON: invalid symbol at line 3, column 14. ${HINT}`);
  });

  it('is refused when it ends too early', async () => {
    const path = await fileWith('{"chats": {"list": [');
    expect(await refusalOf(path)).to.match(/^The file is not JSON: .+ at line 1, column 21\. /);
  });

  it('may start with a byte order mark and hold the escapes Telegram Desktop writes for control characters', async () => {
    const text = JSON.stringify(account(chat({ messages: [message({ text: 'left MARK right \\x0B' })] })));
    const world = await loadExport(await fileWith(`\uFEFF${text.replace('MARK', '\\x0B')}`));
    expect(dialog(world, 'user:41').messages[0]?.text).to.equal('left \u000B right \\x0B');
  });

  it('of 250 real conversations is read whole and in order', async function () {
    const real = fileURLToPath(new URL('../../../../../shared/data/telegram-export.json', import.meta.url));
    if (!existsSync(real)) return this.skip();
    const world = await loadExport(real);
    const messages = world.dialogs.flatMap(each => each.messages);
    expect(world.dialogs).to.have.length(250);
    expect(messages).to.have.length(4690);
    expect(new Set(messages.map(({ id }) => id))).to.have.property('size', 4690);
    for (const { messages } of world.dialogs) {
      expect(messages.map(({ id }) => id)).to.deep.equal(messages.map(({ id }) => id).sort((a, b) => a - b));
      expect(messages.map(({ date }) => date)).to.deep.equal(messages.map(({ date }) => date).sort((a, b) => a - b));
    }
    expect(world.users.filter(({ isContact }) => isContact)).to.have.length(72);
  });
});
