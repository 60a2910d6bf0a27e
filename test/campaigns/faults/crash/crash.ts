import { rmSync } from 'node:fs';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { type AuditFigures, auditCampaign } from './crash-audit.js';
import { embeddedUnderKills, type StoresUnderKills } from './stores-under-kills.js';
import { CrashCampaign, type CampaignOptions, type Tally } from './crash-campaign.js';

/** Kills the service under load and holds what is left to what was promised. @throws Error naming what is otherwise */
export async function crash(
  options: Omit<CampaignOptions, 'folder' | 'stores'>,
  openStores: (folder: string) => StoresUnderKills | Promise<StoresUnderKills> = embeddedUnderKills,
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
