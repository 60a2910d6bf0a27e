import { countText, instantText } from '../parts/words.js';
import { type ListedRun, type RunHealth, type StripBar, STRIP_WIDTH, stripOf } from './run-strip.js';

const HEIGHT = 36;

/** Each state has a sign too, for people who do not see colours. */
const SIGNS: Readonly<Record<RunHealth, string>> = { fine: '', rejected: '!', failed: '✕', open: '…' };

/** The health of a source at a glance: a bar for each of its last 30 runs. */
export function RunStrip({ of, zone }: { readonly of: readonly ListedRun[]; readonly zone: string }) {
  if (of.length === 0) return null;
  const bars = stripOf(of);
  const count = (health: RunHealth) => bars.filter((bar) => bar.health === health).length;
  const summary = `${countText(bars.length, 'run')}: ${count('fine')} fine, ${count('rejected')} with rejected rows, ${count('failed')} failed`;
  return (
    <>
      <div class="run-strip" tabIndex={0} role="group" aria-label="Runs by time">
        <svg height={HEIGHT} role="img" aria-label={summary}>
          {bars.map((bar) => (
            <Bar key={bar.run.run_id} bar={bar} zone={zone} />
          ))}
        </svg>
      </div>
      <p>{summary}. The newest is on the right.</p>
    </>
  );
}

function percent(index: number): string {
  return `${(index / STRIP_WIDTH) * 100}%`;
}

function Bar({ bar: { run, health, x, width }, zone }: { readonly bar: StripBar; readonly zone: string }) {
  return (
    <g class={`run ${health}`}>
      <title>{`${instantText(run.requested_at, zone)}: ${textOf(run, health)}`}</title>
      <rect x={percent(x)} y="1" width={percent(width)} height={HEIGHT - 2} rx="2" />
      <text x={percent(x + width / 2)} y={HEIGHT / 2 + 5} text-anchor="middle">
        {SIGNS[health]}
      </text>
    </g>
  );
}

function textOf({ total, error_count, failure, state }: ListedRun, health: RunHealth): string {
  if (health === 'failed') return `failed. ${failure?.message ?? ''}`.trim();
  if (health === 'open') return state;
  const rejected = error_count === 0 ? '' : `, ${error_count.toLocaleString('en-US')} rejected`;
  return `${countText(total, 'unit')} read${rejected}`;
}
