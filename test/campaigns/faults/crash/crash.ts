import { rmSync } from 'node:fs';
import { whyNoStandIn } from '../../../support/mongo-server.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { type AuditFigures, auditCampaign } from './crash-audit.js';
import { type Campaign, NotPlayed, type Round } from '../../campaign.js';
import { embeddedUnderKills, serversUnderKills, type StoresUnderKills } from './stores-under-kills.js';
import { CrashCampaign, type CampaignOptions, type Tally } from './crash-campaign.js';

export const kills: Campaign = {
  name: 'kills',
  about: 'the service killed under load: every keyed request done once, no answer forgotten',
  play: (round) => underKills(round, 16, embeddedUnderKills),
};

export const killsOnServers: Campaign = {
  name: 'kills-on-servers',
  about: 'the same on the double of EventStoreDB and the stand-in for MongoDB',
  onlyByName: true,
  play(round) {
    const reason = whyNoStandIn();
    if (reason !== undefined) return Promise.reject(new NotPlayed(reason));
    return underKills(round, 5, serversUnderKills);
  },
};

async function underKills(
  { seed, seconds, say }: Round,
  writers: number,
  open: StoresOpener,
): Promise<string> {
  const atLeast = Math.max(seconds, 10);
  const figures = await crash({ kills: Infinity, seconds: atLeast, writers, seed, log: say }, open);
  if (figures.kills === 0) throw new Error('It was never killed.');
  return JSON.stringify(figures);
}

type StoresOpener = (folder: string) => StoresUnderKills | Promise<StoresUnderKills>;

/** Kills the service under load and holds what is left to what was promised. @throws Error naming what is otherwise */
async function crash(
  options: Omit<CampaignOptions, 'folder' | 'stores'>,
  openStores: StoresOpener,
): Promise<Tally & AuditFigures> {
  const folder = await temporaryFolder();
  const stores = await openStores(folder.path);
  const whole = { ...options, stores, folder: folder.path };
  const removeAtExit = () => rmSync(folder.path, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  let campaign: CrashCampaign | undefined;
  try {
    campaign = await CrashCampaign.start(whole);
    const service = await campaign.run();
    options.log?.(`the writers are done: ${JSON.stringify(campaign.tally)}`);
    return { ...campaign.tally, ...(await auditCampaign(campaign, service, whole)) };
  } finally {
    await campaign?.close();
    await stores.close();
    await folder.remove();
    process.removeListener('exit', removeAtExit);
  }
}
