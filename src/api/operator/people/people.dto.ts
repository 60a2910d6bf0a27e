import { IsCursor } from '#web/validation/page-query.js';

export class PeopleQuery {
  @IsCursor() cursor?: string;
}
