/** Sets the password of an invited operator, as the page behind the link does. */
export async function joinOperator(
  port: number,
  { url }: { readonly url: string },
  password: string,
): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, {
    method: 'post',
    body: new URLSearchParams({ password }),
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  if (answer.status !== 303) throw new Error(`The password was not set: ${answer.status}`);
}
