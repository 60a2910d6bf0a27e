import { Icon } from './icon.js';

interface ChosenFilterProps {
  readonly text: string;
  /** What shows without it, as `all kinds`. */
  readonly without: string;
  /** The list without it. */
  readonly href: string;
}

/** What narrows a list, as a button that takes it off. */
export function ChosenFilter({ text, without, href }: ChosenFilterProps) {
  return (
    <a class="button" href={href} aria-label={`${text}: show ${without}`}>
      {text}
      <Icon name="x" kind="s" />
    </a>
  );
}
