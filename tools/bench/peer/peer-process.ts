import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Pool } from 'pg';
import { listeningLine } from '#kernel/announcement.js';
import { BearerGuard, PeerController, tokenHash, TOKENS } from './peer.controller.js';
import { PeerStore, SCHEMA } from './peer-store.js';
import { PeerWrites } from './peer-writes.js';

/** Enough that commits share a flush of the log, and few enough for two processors. */
const CONNECTIONS = 16;
const COMPANY = 'company';

const variable = (name: string): string => process.env[name] ?? '';

const pool = new Pool({
  host: variable('PEER_SOCKET'),
  user: 'postgres',
  database: 'postgres',
  max: CONNECTIONS,
});
const tenant = variable('PEER_TENANT');
const store = new PeerStore(pool, COMPANY);
const tokens = new Map([
  [tokenHash(variable('PEER_API_TOKEN')), null],
  [tokenHash(variable('PEER_TENANT_TOKEN')), tenant],
]);

@Module({
  controllers: [PeerController],
  providers: [
    BearerGuard,
    { provide: TOKENS, useValue: tokens },
    { provide: PeerStore, useValue: store },
    { provide: PeerWrites, useValue: new PeerWrites(store) },
  ],
})
class PeerModule {}

async function main(): Promise<void> {
  await pool.query(SCHEMA);
  for (const unit of variable('PEER_LOCKED_UNITS').split(',')) {
    await pool.query('INSERT INTO locks VALUES ($1, $2, $3, $1)', [`lock-${unit}`, COMPANY, unit]);
  }
  const application = await NestFactory.create<NestExpressApplication>(PeerModule, {
    bodyParser: false,
    logger: ['error'],
  });
  application.useBodyParser('json', { limit: '2mb' });
  application.disable('x-powered-by');
  application.set('etag', false);
  application.useGlobalPipes(
    new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }),
  );
  await application.listen(0, '127.0.0.1');
  const { port } = application.getHttpServer().address() as AddressInfo;
  process.stdout.write(`${listeningLine('The peer', port)}\n`);
}

process.once('SIGTERM', () => process.exit(0));
void main();
