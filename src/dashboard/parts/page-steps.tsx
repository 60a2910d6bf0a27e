interface PageStepsProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly pathOf: (page: string) => string;
}

/** The ways to the page before and after, in the foot of a card. */
export function PageSteps({ page, pages, pathOf }: PageStepsProps) {
  return (
    <span class="acts">
      {page > 1 ? (
        <a class="button small" href={pathOf(String(page - 1))} rel="prev">
          Back
        </a>
      ) : null}
      {page < pages ? (
        <a class="button small" href={pathOf(String(page + 1))} rel="next">
          Next
        </a>
      ) : null}
    </span>
  );
}
