#!/bin/sh
# Fetches the MongoDB stand-in's jars and compiles its starter into target/. Needs Java 17 and Maven; run it once.
set -eu
cd "$(dirname "$0")"
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=target/lib
javac -cp 'target/lib/*' -d target/classes Starter.java
