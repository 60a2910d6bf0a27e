import { assetPath } from '../assets/assets.js';

/** Icons of the sprite that pages use. */
export type IconName =
  | 'alert-triangle'
  | 'ban'
  | 'battery-1'
  | 'calendar'
  | 'clock'
  | 'copy'
  | 'door'
  | 'elevator'
  | 'gavel'
  | 'list'
  | 'map'
  | 'refresh'
  | 'user-plus'
  | 'webhook'
  | 'barrier-block'
  | 'building-warehouse'
  | 'check'
  | 'chevron-down'
  | 'chevron-right'
  | 'chevron-up'
  | 'device-mobile'
  | 'dots'
  | 'download'
  | 'external-link'
  | 'send'
  | 'circle-check'
  | 'info-circle'
  | 'mail'
  | 'pencil'
  | 'printer'
  | 'history'
  | 'home'
  | 'key'
  | 'key-off'
  | 'layout-grid'
  | 'lock'
  | 'lock-open'
  | 'transfer'
  | 'trash'
  | 'logout'
  | 'map-pin'
  | 'menu-2'
  | 'message'
  | 'phone'
  | 'plus'
  | 'search'
  | 'selector'
  | 'settings'
  | 'user'
  | 'users'
  | 'x';

interface IconProps {
  readonly name: IconName;
  /** `s` is as large as small text, `turn` turns with its `details`. */
  readonly kind?: 's' | 's turn';
}

/** A sign beside words. Where it stands alone, its button or link has an `aria-label`. */
export function Icon({ name, kind }: IconProps) {
  return (
    <svg class={kind === undefined ? 'icon' : `icon ${kind}`} aria-hidden="true">
      <use href={`${assetPath('icons.svg')}#${name}`} />
    </svg>
  );
}
