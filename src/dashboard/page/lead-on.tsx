import { Page } from './page.js';

/**
 * A page that leads the browser on by itself, without a script. Unlike a redirect it is a page of ours that asks for the next
 * one: the browser then sends its SameSite=Strict cookies, and no policy of a form holds it back.
 * @param href a path of ours, or an address at the provider @param text of the link, for browsers that do not follow
 */
export function leadOn(href: string, text: string): Page {
  const content = (
    <p>
      <a href={href}>{text}</a>
    </p>
  );
  return new Page('One moment', content).with({
    Refresh: `0; url=${href}`,
    'Referrer-Policy': 'no-referrer',
  });
}
