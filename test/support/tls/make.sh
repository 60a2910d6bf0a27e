#!/bin/sh
# Made the authority that tests of TLS use, the certificate of 127.0.0.1 and localhost, and one that is good for clients only. They hold for a century.
set -eu
cd "$(dirname "$0")"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj '/CN=An authority of the tests' \
  -keyout authority-key.pem -out authority.pem
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=localhost' -keyout server-key.pem -out server.csr
printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' > server.ext
openssl x509 -req -in server.csr -CA authority.pem -CAkey authority-key.pem -CAcreateserial -days 36500 -extfile server.ext -out server.pem
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=a client' -keyout client-key.pem -out client.csr
printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=clientAuth\n' > client.ext
openssl x509 -req -in client.csr -CA authority.pem -CAkey authority-key.pem -CAcreateserial -days 36500 -extfile client.ext -out client.pem
rm -f server.csr server.ext client.csr client.ext authority.srl authority-key.pem
