import { envelope } from '#web/envelope.js';
import { Answers, descriptionOf } from '#web/openapi/answers.js';
import { type AnswerOf, flag, list, nullable, object, oneOf, page, text } from '#web/openapi/schemas.js';

const GATE_SCHEMA = object({ name: nullable(text), kind: oneOf(['gate', 'door']) }, { in_service: flag });
type Gate = AnswerOf<typeof GATE_SCHEMA>;

const GATES_SCHEMA = page('gates', object({ gate: GATE_SCHEMA, zones: list(text) }));
const RIGHT = { gates: [{ gate: { name: null, kind: 'gate' as const }, zones: ['A'] }], next_cursor: null };

const described = { id: 'listGates', summary: '', description: '', data: GATES_SCHEMA };

/** The compiler is the test here: it fails where it accepts what it should refuse. */
class GatesController {
  @Answers(described)
  right() {
    return envelope(RIGHT);
  }

  // @ts-expect-error: a member of the schema is missing.
  @Answers(described)
  incomplete() {
    return envelope({ gates: RIGHT.gates });
  }

  // @ts-expect-error: the schema excludes null.
  @Answers(described)
  nullInside() {
    return envelope({ ...RIGHT, gates: [{ ...RIGHT.gates[0]!, zones: null }] });
  }

  // @ts-expect-error: the schema has no such member.
  @Answers(described)
  undescribed() {
    return envelope({
      ...RIGHT,
      gates: [{ ...RIGHT.gates[0]!, gate: { ...RIGHT.gates[0]!.gate, secret: 1 } }],
    });
  }

  // @ts-expect-error: the schema lists other values.
  @Answers(described)
  otherKind() {
    return envelope({ ...RIGHT, gates: [{ gate: { name: null, kind: 'window' }, zones: [] }] });
  }
}

it('the type of an answer follows from its schema', () => {
  const whole: Gate = { name: null, kind: 'door' };
  // @ts-expect-error: the name may be null, and not left out.
  const nameless: Gate = { kind: 'door' };
  expect({ ...nameless, name: null }).toEqual(whole);
});

it('a method keeps the description of its answer', () => {
  expect(descriptionOf(Reflect.get(GatesController.prototype, 'right') as object)).toBe(described);
});
