/** The parts of Express 5's router that tell which methods a path has. */
interface RouterLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean | undefined>> };
  match(path: string): boolean;
}

/** An Express application as seen from its route table. */
export interface RoutedApplication {
  readonly router: { readonly stack: readonly RouterLayer[] };
}

/**
 * The methods that some route of the application answers at a path; empty where the path does not exist.
 * Read from the router itself, so that a new route needs no mention anywhere.
 */
export function methodsAt(application: RoutedApplication, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of application.router.stack) {
    if (layer.route === undefined || !layer.match(path)) continue;
    for (const [method, handled] of Object.entries(layer.route.methods)) {
      if (handled === true && method !== '_all') methods.add(method.toUpperCase());
    }
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
