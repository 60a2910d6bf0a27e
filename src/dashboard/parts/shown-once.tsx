import { CopyButton } from './copy-button.js';

interface ShownOnceProps {
  readonly title: string;
  /** Of the element with the secret. */
  readonly id: string;
  readonly secret: string;
  /** The page without the secret. */
  readonly path: string;
}

/** A secret that no other page repeats. */
export function ShownOnce({ title, id, secret, path }: ShownOnceProps) {
  return (
    <section class="card once" role="status" aria-label={title}>
      <h2>{title}</h2>
      <p class="soft">It is shown only now. Keep it where secrets are kept; nobody can look it up later.</p>
      <div class="kept-secret">
        <code class="secret" id={id}>
          {secret}
        </code>
        <CopyButton of={id} />
        <a class="button" href={path}>
          I have kept it
        </a>
      </div>
    </section>
  );
}
