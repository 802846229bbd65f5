import getPort from 'get-port';
import { connectMessenger, signIn } from '../support/people.ts';
import { type Service, startService, stopServices } from '../support/service.ts';
import { crowd, owner, world } from '../support/worlds.ts';
import { inBrowser, signInAs } from './browser.ts';

const EMAIL = 'nora@example.com';
const WAYS = [
  { way: 'with JavaScript', javaScript: true },
  { way: 'with JavaScript off', javaScript: false },
];
const SWITCHES = [
  { name: 'Read Person 5002', path: () => '/conversations' },
  { name: 'Read this conversation', path: (dialogId: string) => `/conversations/${dialogId}` },
  { name: 'Add notes automatically for confident matches', path: () => '/settings' },
  { name: 'Single-key shortcuts', path: () => '/settings/account' },
];

inBrowser('A switch', tester => {
  let service: Service;
  let dialogId: string;

  before(async () => {
    service = await startService({ port: await getPort(), worlds: [world(crowd(3))], crm: true, worker: false });
    const nora = await signIn(service, EMAIL);
    await connectMessenger(service, nora, owner.phone ?? '');
    const { dialogs } = (await nora.get('/api/messenger/dialogs').expect(200)).body;
    dialogId = dialogs[0].id;
  });
  after(stopServices);

  async function open(path: string, look: { javaScript?: boolean } = {}) {
    const page = await tester.open(look);
    await signInAs(page, service, EMAIL);
    await page.goto(`${service.url}${path}`);
    return page;
  }
  for (const { way, javaScript } of WAYS) {
    for (const { name, path } of SWITCHES) {
      it(`is set and set back ${way}: ${name}`, async () => {
        const page = await open(path(dialogId), { javaScript });
        const toggle = (checked: boolean) => page.getByRole('switch', { name, exact: true, checked });
        await toggle(true).click();
        await toggle(false).waitFor();
        await page.reload();
        await toggle(false).click();
        await toggle(true).waitFor();
        await page.reload();
        await toggle(true).waitFor();
      });
    }
  }
});
