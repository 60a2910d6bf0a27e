import { matcherOf, searchForms, searchName, searchWords } from '#kernel/core/search.js';
import type { OperatorPrincipal, OperatorRole } from '#kernel/principals.js';
import type { SearchedPlaces } from '../frame/side-bar.reader.js';
import {
  companyPath,
  contactPath,
  equipmentPath,
  hoursPath,
  locationPath,
  passesPath,
  sharingPath,
  SUMMARIES_PATH,
  textsPath,
  todayPath,
} from '../links/paths.js';
import { addPath } from '../parts/drawer.js';
import type { IconName } from '../parts/icon.js';
import { mayDo } from '../parts/roles.js';
import type { Hit } from './hits.js';

/** A page of the console, or a form on one. */
interface ConsolePage {
  readonly title: string;
  /** Other words that find it. */
  readonly words: string;
  /** The role that may open it. */
  readonly least: OperatorRole;
  readonly pathOf: (id: string) => string;
  /** That of the side bar. Absent: the page is none of its main ones. */
  readonly icon?: IconName;
}

/** The forms of a page's names are taken once, not for each key that somebody presses. */
interface NamedPage extends ConsolePage {
  readonly titleForms: readonly string[];
  readonly everyForm: readonly string[];
}

type Pages = readonly NamedPage[];

function withForms(pages: readonly ConsolePage[]): Pages {
  return pages.map((one) => {
    const titleForms = searchForms(one.title);
    return { ...one, titleForms, everyForm: [...titleForms, ...searchForms(one.words)] };
  });
}

/** Whatever role reads pages sees them. */
const page = (
  title: string,
  words: string,
  pathOf: ConsolePage['pathOf'],
  icon: IconName = 'list',
): ConsolePage => ({ title, words, least: 'auditor', pathOf, icon });

const OF_COMPANY = withForms([
  page('Today', 'home calls to call', todayPath, 'home'),
  page('Units', 'doors', (id) => `${companyPath(id)}/units`, 'layout-grid'),
  page('Tenants', 'people customers', (id) => `${companyPath(id)}/tenants`, 'users'),
  page('Gates', 'doors elevators entry points', (id) => `${companyPath(id)}/gates`, 'barrier-block'),
  page('Changes', 'history log what staff did', (id) => `${companyPath(id)}/changes`, 'history'),
  page('Sites', 'locations facilities', companyPath, 'building-warehouse'),
  page('Your account', 'password second factor sign-in profile', () => '/dashboard/account', 'user'),
  page('Morning summary', 'mail e-mail email', () => SUMMARIES_PATH, 'mail'),
]);

/** Not for an operator of some sites. */
const OF_WHOLE_COMPANY = withForms([
  page('Pull sources', 'pms sync connection integration', (id) => `${companyPath(id)}/pull-sources`),
  page('Audit', 'verify checkpoint log export', () => '/dashboard/audit'),
  {
    title: 'Operators',
    words: 'staff team users logins invitations roles',
    least: 'admin',
    pathOf: () => '/dashboard/operators',
  },
  {
    title: 'API',
    words: 'tokens keys webhooks integration',
    least: 'admin',
    pathOf: (id) => `${companyPath(id)}/api-tokens`,
  },
]);

const FORMS_OF_WHOLE_COMPANY = withForms([
  {
    title: 'Add site',
    words: 'new location facility',
    least: 'manager',
    pathOf: (id) => addPath(companyPath(id), 'location'),
  },
  {
    title: 'Add source',
    words: 'new pull pms sync connection',
    least: 'manager',
    pathOf: (id) => addPath(`${companyPath(id)}/pull-sources`, 'source'),
  },
  {
    title: 'Add operator',
    words: 'new invite staff user',
    least: 'admin',
    pathOf: () => addPath('/dashboard/operators', 'operator'),
  },
  {
    title: 'Create token',
    words: 'new add api key',
    least: 'admin',
    pathOf: (id) => addPath(`${companyPath(id)}/api-tokens`, 'token'),
  },
  {
    title: 'Add webhook',
    words: 'new api',
    least: 'admin',
    pathOf: (id) => addPath(`${companyPath(id)}/api-tokens`, 'webhook'),
  },
]);

const OF_SITE = withForms([
  page('Policy', 'grace days lockout delinquency rules time zone', (id) => `${locationPath(id)}/policy`),
  page('Hours', 'access opening closing holidays gates', hoursPath, 'clock'),
  page('Passes', 'vendors visitors contractors', passesPath),
  page('Equipment', 'locks batteries', equipmentPath, 'lock'),
  page('Zones', 'equipment buildings', (id) => equipmentPath(id, 'zones')),
  page('Contact', 'phone address payment link currency', contactPath, 'phone'),
  page('Texts', 'sms messages notices', textsPath, 'message'),
  page('Sharing', 'guests shares', sharingPath),
  page('Forecast', 'next days upcoming', (id) => `${locationPath(id)}/forecast`, 'calendar'),
  page('Site map', 'units', locationPath, 'map'),
]);

const FORMS_OF_SITE = withForms([
  {
    title: 'Give a pass',
    words: 'new add vendor visitor contractor',
    least: 'manager',
    pathOf: (id) => addPath(passesPath(id), 'pass'),
  },
  {
    title: 'Add unit',
    words: 'new',
    least: 'manager',
    pathOf: (id) => addPath(locationPath(id), 'unit'),
  },
  {
    title: 'Add tenant',
    words: 'new customer person',
    least: 'manager',
    pathOf: (id) => addPath(`${locationPath(id)}/tenants`, 'tenant'),
  },
  {
    title: 'Add lock',
    words: 'new',
    least: 'manager',
    pathOf: (id) => addPath(equipmentPath(id), 'lock'),
  },
  {
    title: 'Add zone',
    words: 'new building',
    least: 'manager',
    pathOf: (id) => addPath(equipmentPath(id, 'zones'), 'zone'),
  },
  {
    title: 'Add gate',
    words: 'new door elevator entry point',
    least: 'manager',
    pathOf: (id) => addPath(equipmentPath(id, 'gates'), 'entry-point'),
  },
  {
    title: 'Set up many units at once',
    words: 'import csv setup',
    least: 'manager',
    pathOf: (id) => `${locationPath(id)}/setup`,
  },
]);

const FORMS: ReadonlySet<string> = new Set(
  [...FORMS_OF_WHOLE_COMPANY, ...FORMS_OF_SITE].map(({ title }) => title),
);

const EVERY_PAGE = [OF_COMPANY, OF_WHOLE_COMPANY, FORMS_OF_WHOLE_COMPANY, OF_SITE, FORMS_OF_SITE].flat();

/** Fewer letters begin the names of too many pages. */
const FEWEST_LETTERS = 3;
/** Most pages, and most forms, that are offered. */
const MOST = 6;

/** Where the operator searches, and what may be seen there. */
export interface SearchedConsole {
  readonly role: OperatorPrincipal['role'];
  readonly places: SearchedPlaces;
  /** The site of the page in view. */
  readonly location_id: string | undefined;
}

export interface FoundPages {
  readonly pages: readonly Hit[];
  readonly forms: readonly Hit[];
}

export const NO_PAGES: FoundPages = { pages: [], forms: [] };

/** Whether a word of the text begins a word of any page: only then are sites worth a read. */
export function mayNamePage(text: string): boolean {
  return EVERY_PAGE.some(pageNamer(text));
}

/** Pages and forms called so, also by the name of their site: “policy riverside”. Those of the site in view come first. */
export function findConsolePages(text: string, { role, places, location_id }: SearchedConsole): FoundPages {
  const { company, sites, isWhole } = places;
  const isNamed = pageNamer(text);
  const isCalledSo = matcherOf(text);
  const named = (pages: Pages): readonly RankedPage[] =>
    pages
      .filter((one) => mayDo(role, one.least) && isNamed(one))
      .map((one) => ({ ...one, isTitled: isCalledSo(one.titleForms) }));
  const hitsOf = (pages: readonly RankedPage[], { id, name, nameForms }: SearchedPlace) =>
    pages
      .filter(({ everyForm }) => isCalledSo([...everyForm, ...nameForms]))
      .map(({ title, pathOf, icon, isTitled }) => ({
        hit: { href: pathOf(id), icon: icon ?? iconOf(title), title, detail: name, unit: null },
        isTitled,
      }));
  const inView = (site: SearchedPlaces['sites'][number]) => Number(site.location_id !== location_id);
  const pagesOfSite = named(OF_SITE);
  const formsOfSite = named(FORMS_OF_SITE);
  const searchedSites =
    pagesOfSite.length + formsOfSite.length === 0
      ? []
      : sites
          .toSorted((one, other) => inView(one) - inView(other))
          .map((site) => searchedPlace(site.location_id, site.name));
  const ofSites = (pages: readonly RankedPage[]) => searchedSites.flatMap((site) => hitsOf(pages, site));
  const whole = searchedPlace(company.company_id, company.name);
  const ofCompany = (pages: Pages) => hitsOf(named(pages), whole);
  return {
    pages: titledFirst([
      ...ofCompany(isWhole ? [...OF_COMPANY, ...OF_WHOLE_COMPANY] : OF_COMPANY),
      ...ofSites(pagesOfSite),
    ]),
    forms: titledFirst([...ofSites(formsOfSite), ...ofCompany(isWhole ? FORMS_OF_WHOLE_COMPANY : [])]),
  };
}

/** A form for something new, or a page of the settings. */
function iconOf(title: string): IconName {
  return FORMS.has(title) ? 'plus' : 'settings';
}

/** A company or a site. */
interface SearchedPlace {
  readonly id: string;
  readonly name: string;
  readonly nameForms: readonly string[];
}

function searchedPlace(id: string, name: string): SearchedPlace {
  return { id, name, nameForms: searchForms(name) };
}

interface RankedPage extends NamedPage {
  /** False: other words find it, or its place does. */
  readonly isTitled: boolean;
}

interface RankedHit {
  readonly hit: Hit;
  readonly isTitled: boolean;
}

function titledFirst(hits: readonly RankedHit[]): readonly Hit[] {
  return hits
    .toSorted((one, other) => Number(other.isTitled) - Number(one.isTitled))
    .slice(0, MOST)
    .map(({ hit }) => hit);
}

/** Tells pages of which a word is typed: a site's name alone names none of its pages. */
function pageNamer(text: string): (one: NamedPage) => boolean {
  const words = searchName(text).length < FEWEST_LETTERS ? [] : searchWords(text);
  return ({ everyForm }) => words.some((word) => everyForm.some((form) => form.startsWith(word)));
}
