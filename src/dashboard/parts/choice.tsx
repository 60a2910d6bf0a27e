interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly chosen: string | undefined;
}

/** A choice that a mouse or a finger sends at once. The keyboard sends it with the form's button. */
export function Choice({ name, label, options, chosen = '' }: ChoiceProps) {
  return (
    <div class="field">
      <label for={`choice-${name}`}>
        {label}
        <span class="unseen">, shown when chosen</span>
      </label>
      <select id={`choice-${name}`} name={name} data-submits>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
