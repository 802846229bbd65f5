import { Api } from 'telegram/tl/index.js';
import { addressesOf, HOME_DC } from '../dataCentres.ts';
import { type Call, openMethod } from './call.ts';

const CONFIG_LIFETIME_SECONDS = 3600;

export const helpMethods = [
  openMethod(Api.help.GetConfig, config),
  openMethod(Api.help.GetNearestDc, ({ key }) => new Api.NearestDc({ country: 'DE', thisDc: key.dc, nearestDc: HOME_DC })),
  openMethod(Api.help.GetAppConfig, () => new Api.help.AppConfigNotModified()),
];

function config({ sandbox, key }: Call): Api.Config {
  const date = Math.floor(Date.now() / 1000);
  return new Api.Config({
    date,
    expires: date + CONFIG_LIFETIME_SECONDS,
    testMode: false,
    thisDc: key.dc,
    dcOptions: addressesOf(sandbox.dataCentres).map(
      ({ id, host }) => new Api.DcOption({ id, ipAddress: host, port: sandbox.port, static: true }),
    ),
    dcTxtDomainName: '',
    chatSizeMax: 200,
    megagroupSizeMax: 200000,
    forwardedCountMax: 100,
    onlineUpdatePeriodMs: 210000,
    offlineBlurTimeoutMs: 5000,
    offlineIdleTimeoutMs: 30000,
    onlineCloudTimeoutMs: 300000,
    notifyCloudDelayMs: 30000,
    notifyDefaultDelayMs: 1500,
    pushChatPeriodMs: 60000,
    pushChatLimit: 2,
    editTimeLimit: 172800,
    revokeTimeLimit: 2147483647,
    revokePmTimeLimit: 2147483647,
    ratingEDecay: 2419200,
    stickersRecentLimit: 200,
    channelsReadMediaPeriod: 604800,
    callReceiveTimeoutMs: 20000,
    callRingTimeoutMs: 90000,
    callConnectTimeoutMs: 30000,
    callPacketTimeoutMs: 10000,
    meUrlPrefix: 'https://t.me/',
    captionLengthMax: 1024,
    messageLengthMax: 4096,
    webfileDcId: HOME_DC,
  });
}
