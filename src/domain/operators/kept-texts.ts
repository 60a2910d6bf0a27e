import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import { SecretBox } from '#kernel/secret-box.js';
import type { Browser } from './browser.js';
import { OperatorDevices } from './operator-devices.js';

const LIFETIME_MS = 30 * 60 * 1000;

interface KeptText {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

export interface SealedText {
  readonly sealed: string;
  readonly seconds: number;
}

/** Texts that a browser keeps until the operator who signed in there last does so again. Nobody else can open them. */
@Injectable()
export class KeptTexts {
  constructor(
    private readonly devices: OperatorDevices,
    private readonly box: SecretBox,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Undefined if nobody is known to have signed in in this browser. @throws StoreUnavailableError */
  async sealFor(browser: Browser, text: () => Promise<string | undefined>): Promise<SealedText | undefined> {
    const device = await this.devices.findDevice(browser);
    const plain = device && (await text());
    if (device === undefined || plain === undefined) return undefined;
    const kept: KeptText = { text: plain, expires_at: this.clock.now() + LIFETIME_MS };
    const sealed = this.box.seal(JSON.stringify(kept), ownerOf(device.operator_id));
    return { sealed, seconds: LIFETIME_MS / 1_000 };
  }

  /** Undefined if it was sealed for another operator, or is too old. */
  open(sealed: string, operator_id: string): string | undefined {
    const opened = this.box.open(sealed, ownerOf(operator_id));
    if (opened === undefined) return undefined;
    const { text, expires_at } = JSON.parse(opened) as KeptText;
    return expires_at > this.clock.now() ? text : undefined;
  }
}

/** Differs from the owners of all other sealed texts, such as a second factor's. */
function ownerOf(operator_id: string): string {
  return `text kept for operator ${operator_id}`;
}
