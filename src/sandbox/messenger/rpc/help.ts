import { Api } from 'telegram/tl/index.js';
import { HOME_DC, type Sandbox } from '../sandbox.ts';
import { openMethod } from './call.ts';

const DATA_CENTRES = [1, 2, 3, 4, 5];
const CONFIG_LIFETIME_SECONDS = 3600;

export const helpMethods = [
  openMethod(Api.help.GetConfig, ({ sandbox }) => config(sandbox)),
  openMethod(Api.help.GetNearestDc, () => new Api.NearestDc({ country: 'DE', thisDc: HOME_DC, nearestDc: HOME_DC })),
  openMethod(Api.help.GetAppConfig, () => new Api.help.AppConfigNotModified()),
];

/** Every data centre is this server: for one that is missing, clients fall back to addresses of the real service. */
function dcOptions(sandbox: Sandbox): Api.DcOption[] {
  return DATA_CENTRES.map(id => new Api.DcOption({ id, ipAddress: '127.0.0.1', port: sandbox.port, static: true }));
}

function config(sandbox: Sandbox): Api.Config {
  const date = Math.floor(Date.now() / 1000);
  return new Api.Config({
    date,
    expires: date + CONFIG_LIFETIME_SECONDS,
    testMode: false,
    thisDc: HOME_DC,
    dcOptions: dcOptions(sandbox),
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
