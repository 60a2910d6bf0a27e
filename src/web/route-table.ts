/** The parts of Express 5's router that contain the methods of a path. */
interface RouterLayer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean | undefined>> };
  match(path: string): boolean;
}

export interface RoutedApplication {
  readonly router: { readonly stack: readonly RouterLayer[] };
}

/**
 * The methods of a path; empty if the path does not exist. Read from the router itself, so that there is no second list.
 * @param without a route that does not count
 */
export function methodsAt(application: RoutedApplication, path: string, without?: string): string[] {
  const methods = new Set<string>();
  for (const layer of application.router.stack) {
    if (layer.route === undefined || layer.route.path === without || !layer.match(path)) continue;
    for (const [method, handled] of Object.entries(layer.route.methods)) {
      if (handled === true && method !== '_all') methods.add(method.toUpperCase());
    }
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}
