import type { Route } from './route.ts';

export const accountRoute: Route = {
  method: 'get',
  path: '/details',
  kind: 'account.details',
  scopes: [],
  handle: ({ portal }) => ({
    status: 200,
    body: {
      portalId: Number(portal.id),
      accountType: 'DEVELOPER_TEST',
      timeZone: 'Europe/Berlin',
      companyCurrency: 'EUR',
      additionalCurrencies: [],
      utcOffset: '+01:00',
      utcOffsetMilliseconds: 3_600_000,
      uiDomain: 'app.hubspot.com',
      dataHostingLocation: 'eu1',
    },
  }),
};
