import { Module } from '@nestjs/common';
import { LocationsModule } from '#domain/locations/index.js';
import { LocksModule } from '#domain/locks/index.js';
import { ActivityAnswers } from './activity-answers.js';
import { ActivityController, EarlierActivityController } from './activity.controllers.js';

/** Reports of locks and entry points, from a tenant's app. */
@Module({
  imports: [LocationsModule, LocksModule],
  controllers: [ActivityController, EarlierActivityController],
  providers: [ActivityAnswers],
})
export class ReportsApiModule {}
