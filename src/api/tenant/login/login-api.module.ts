import { Module } from '@nestjs/common';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { AuthController } from './auth.controller.js';
import { LoginAnswers } from './login-answer.js';
import { LoginLimit } from './login-limit.js';

/** Login by phone and code. */
@Module({
  imports: [CompaniesModule, LocationsModule, TenantsModule],
  controllers: [AuthController],
  providers: [LoginAnswers, LoginLimit],
})
export class LoginApiModule {}
