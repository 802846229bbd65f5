import { expect } from 'chai';
import request from 'supertest';
import { createPage } from '../../../sandbox/overview.ts';
import * as messenger from './client.ts';
import { chat, dialog, message, person, world } from './worlds.ts';

describe('The conversations on the sandbox page', () => {
  let server: messenger.Started | undefined;

  async function open(details: Parameters<typeof world>[0]) {
    server = await messenger.startServer(world(details));
    return request.agent(createPage(server.sandbox, 'http://127.0.0.1:3000')).host('127.0.0.1');
  }

  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  it('are listed newest first, and each shows who wrote what and when', async () => {
    const page = await open({
      users: [person(5, { firstName: '<i>Ben</i>' }), person(6)],
      chats: [chat(30, 'supergroup', 'Fair & crew')],
      dialogs: [
        dialog('user:5', [
          message(1, { from: 5, text: 'Lunch & <script>?' }),
          message(2, { text: 'Yes', replyTo: 1 }),
          message(3, { from: 5, text: '', media: 'document', fileName: 'menu.pdf' }),
        ]),
        dialog('channel:30', [message(9, { from: 6 })]),
      ],
    });
    expect((await page.get('/')).text).to.include('href="/chats/test"');
    const list = (await page.get('/chats/test').expect(200)).text;
    expect(list.indexOf('Fair &amp; crew')).to.be.lessThan(list.indexOf('&lt;i&gt;Ben'));
    expect(list).to.include('href="/chats/test/user%3A5"').and.include('3 messages');
    const { text } = await page.get('/chats/test/user%3A5').expect(200);
    expect(text).to.include('Sunday, 15 June 2025').and.include('>17:07<').and.include('menu.pdf');
    expect(text).to.include('Lunch &amp; &lt;script&gt;?').and.not.include('<script').and.not.include('<form');
    expect(text).to.match(/<blockquote[^>]*>&lt;i&gt;Ben&lt;\/i&gt;[^<]*: Lunch/);
    expect((await page.get('/chats/test/channel%3A30').expect(200)).text).to.include('Person 6');
  });
});
