import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { Slider } from '#dashboard/units/as-of-forms.js';

const MINUTE = 60_000;

/** The bounds and the value of a slider, in minutes. */
function sliderOf(begins: number, now: number, at?: number): number[] {
  const props = { path: '/', begins, now, zone: 'UTC', stateAt: () => 'Open', children: null, at };
  const html = render(h(Slider, props));
  return ['min', 'max', 'value'].map((name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(html)?.[1]));
}

it('the slider of a picture that begins within a minute holds its first instant', () => {
  expect(sliderOf(10.5 * MINUTE, 20 * MINUTE, 10.5 * MINUTE)).toEqual([11, 20, 11]);
});

it('the slider holds an instant before its picture at its beginning', () => {
  expect(sliderOf(10 * MINUTE, 20 * MINUTE, 5 * MINUTE)).toEqual([10, 20, 10]);
});

it('the slider stands at its end while no instant is looked at', () => {
  expect(sliderOf(10 * MINUTE, 20.7 * MINUTE)).toEqual([10, 20, 20]);
});
