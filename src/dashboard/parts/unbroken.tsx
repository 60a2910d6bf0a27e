/** Phone numbers, credits, and names and identifiers with a hyphen before a digit. Linear, because anybody may write the text. */
const WHOLE = /((?<![\w+])\+?\d[\d -]{5,}\d(?!\w)|-\$\S+|(?<!\S)[^\s-]*-[^\s\d]*\d\S*)/;

/** Text whose unit names, phone numbers and amounts do not break at a hyphen. */
export function Unbroken({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(WHOLE).map((part, index) => (index % 2 === 0 ? part : <span class="whole">{part}</span>))}
    </>
  );
}
